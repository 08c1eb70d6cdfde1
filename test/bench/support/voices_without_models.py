"""
Tries to tell voices apart without any model, on conversations composed of real voices whose turns are known.

python3 voices_without_models.py FOLDER JFK_WAV [VOICES CONVERSATIONS SECONDS]

FOLDER holds the unpacked Debian packages asterisk-core-sounds-{en,fr,it,ru}-wav and pocketsphinx-testdata; JFK_WAV is the
recording of nodejs-whisper. It needs numpy and scipy. Each recording is reduced to 8 kHz and the same loudness, so that
not the equipment is recognized; that each voice has its own equipment and mostly its own language still helps.

Features: cepstral coefficients of a mel filter bank, normalized over the conversation, and pitch. Every second is
described by their mean, or by mean and deviation; neighbours are joined by the Bayesian information criterion (Chen and
Gopalakrishnan 1998), or clustered by Ward's linkage for the known number of voices. Prints the diarization error with
all overlaps and a collar of 0.25 s, given the true speech, so it is the error of attribution and overlap alone.
"""

import sys
import wave
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.fft import dct
from scipy.optimize import linear_sum_assignment
from scipy.signal import resample_poly

RATE = 8000
STEP = 80
rng = np.random.default_rng(16)


def read(path):
    with wave.open(str(path)) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), np.int16) / 32768
    samples = resample_poly(samples, RATE, rate)
    loud = np.abs(samples) > 0.02 * np.abs(samples).max()
    first, last = np.argmax(loud), len(loud) - np.argmax(loud[::-1])
    samples = samples[first:last]
    return 0.1 * samples / max(np.sqrt(np.mean(samples**2)), 1e-6)


def voices(folder, kennedy):
    sounds = Path(folder) / "usr/share/asterisk/sounds"
    people = {}
    for name in sorted(path.name for path in sounds.iterdir()):
        files = [path for path in sorted((sounds / name).rglob("*.wav")) if path.stat().st_size > 40_000]
        people[name] = np.concatenate([read(path) for path in files[:160]])
    novel = sorted((Path(folder) / "usr/share/pocketsphinx/test/data/librivox").glob("*.wav"))
    people["librivox"] = np.concatenate([read(path) for path in novel])
    people["kennedy"] = read(kennedy)
    return people


def compose(people, names, seconds):
    """Turns of 1 to 20 s with pauses of up to 1 s, one in eight overlaps the one before by up to 1 s."""
    mixed = np.zeros(int((seconds + 25) * RATE))
    turns, at, last = [], 1.0, None
    positions = {name: 0 for name in names}
    while at < seconds:
        who = rng.choice([name for name in names if name != last])
        length = float(np.clip(rng.lognormal(1.3, 0.8), 1, 20))
        audio = np.roll(people[who], -positions[who])[: int(length * RATE)]
        length = len(audio) / RATE
        positions[who] += len(audio)
        start = max(0, at - rng.uniform(0, 1)) if turns and rng.random() < 1 / 8 else at + rng.uniform(0, 1)
        first = int(start * RATE)
        mixed[first : first + len(audio)] += audio
        turns.append((start, start + length, names.index(who)))
        at, last = start + length, who
    return mixed + 1e-4 * rng.standard_normal(len(mixed)), turns


def cepstra(samples):
    frames = np.lib.stride_tricks.sliding_window_view(samples, 200)[::STEP] * np.hamming(200)
    power = np.abs(np.fft.rfft(frames, 256)) ** 2
    mel = lambda f: 1127 * np.log(1 + f / 700)
    edges = np.linspace(mel(60), mel(3800), 26)
    bins = mel(np.arange(129) * RATE / 256)
    up = (bins[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    down = (edges[2:] - bins[:, None]) / (edges[2:] - edges[1:-1])
    bank = np.log(power @ np.clip(np.minimum(up, down), 0, None) + 1e-8)
    return dct(bank, norm="ortho", axis=1)[:, 1:17], pitch(samples, len(frames))


def pitch(samples, count):
    """The logarithm of the pitch of each frame; 0 where it is not voiced."""
    found = np.zeros(count)
    padded = np.concatenate([samples, np.zeros(400)])
    for i in range(0, count, 2):
        frame = padded[i * STEP : i * STEP + 400]
        spectrum = np.fft.rfft(frame * np.hanning(400), 1024)
        correlation = np.fft.irfft(np.abs(spectrum) ** 2)
        lags = correlation[20:134] / max(correlation[0], 1e-9)
        lag = int(np.argmax(lags))
        if lags[lag] > 0.35:
            found[i : i + 2] = np.log(RATE / (lag + 20))
    return found


def truth(turns, count, people):
    active = np.zeros((count, people), bool)
    scored = np.ones(count, bool)
    for start, end, who in turns:
        active[int(start * 100) : int(end * 100), who] = True
        for edge in (start, end):
            scored[max(0, int((edge - 0.25) * 100)) : int((edge + 0.25) * 100)] = False
    return active, scored


def error(active, scored, labels):
    found = max(labels.max() + 1, active.shape[1])
    said = np.zeros((len(labels), found), bool)
    speaks = labels >= 0
    said[np.flatnonzero(speaks), labels[speaks]] = True
    active, said = active[scored], said[scored]
    together = active.T.astype(float) @ said
    rows, columns = linear_sum_assignment(-together)
    correct = together[rows, columns].sum()
    total = active.sum()
    most = np.maximum(active.sum(1), said.sum(1)).sum()
    return (most - correct) / total


def bic_clusters(blocks, penalty):
    """Joins the closest clusters while the criterion says that they are one voice."""
    width = blocks[0].shape[1]
    stats = [(len(block), block.sum(0), block.T @ block) for block in blocks]
    members = [[i] for i in range(len(blocks))]

    def spread(stat):
        count, total, squares = stat
        mean = total / count
        return count * np.linalg.slogdet(squares / count - np.outer(mean, mean) + 1e-3 * np.eye(width))[1]

    def gain(a, b):
        joint = tuple(x + y for x, y in zip(stats[a], stats[b]))
        cost = 0.5 * penalty * (width + width * (width + 1) / 2) * np.log(joint[0])
        return 0.5 * (spread(joint) - spreads[a] - spreads[b]) - cost

    spreads = [spread(stat) for stat in stats]
    size = len(stats)
    gains = np.full((size, size), np.inf)
    for a, b in combinations(range(size), 2):
        gains[a, b] = gain(a, b)
    alive = set(range(size))
    while len(alive) > 1:
        a, b = np.unravel_index(np.argmin(gains), gains.shape)
        if gains[a, b] >= 0:
            break
        stats[a] = tuple(x + y for x, y in zip(stats[a], stats[b]))
        spreads[a] = spread(stats[a])
        members[a] += members[b]
        alive.discard(b)
        gains[b, :] = gains[:, b] = np.inf
        for other in alive - {a}:
            low, high = sorted((a, other))
            gains[low, high] = gain(low, high)
    return [members[i] for i in sorted(alive)]


def main():
    people = voices(sys.argv[1], sys.argv[2])
    print({name: round(len(samples) / RATE) for name, samples in people.items()}, "s of each voice")
    names = list(people)
    errors = {}
    counts = {}
    sizes, each, seconds = (int(given) for given in (sys.argv[3:] or (5, 6, 150)))
    for size in range(2, sizes + 1):
        choices = list(combinations(names, size))
        for choice in [choices[i] for i in rng.choice(len(choices), min(each, len(choices)), replace=False)]:
            samples, turns = compose(people, list(choice), seconds)
            features, tone = cepstra(samples)
            count = len(features)
            active, scored = truth(turns, count, size)
            speech = active.any(1)
            blocks, spans = [], []
            features = (features - features[speech].mean(0)) / features[speech].std(0)
            for from_frame in range(0, count - 100, 100):
                inside = np.flatnonzero(speech[from_frame : from_frame + 100]) + from_frame
                if len(inside) >= 40:
                    blocks.append(inside)
                    spans.append((from_frame, from_frame + 100))

            def labelled(clusters):
                labels = np.full(count, -1)
                for cluster, indexes in enumerate(clusters):
                    for i in indexes:
                        labels[spans[i][0] : spans[i][1]] = cluster
                # What is in no block belongs to the one before.
                for frame in range(1, count):
                    if labels[frame] < 0:
                        labels[frame] = labels[frame - 1]
                labels[~speech] = -1
                return labels

            def ward(vectors):
                vectors = np.array(vectors)
                vectors = (vectors - vectors.mean(0)) / (vectors.std(0) + 1e-6)
                groups = fcluster(linkage(vectors, "ward"), size, "maxclust")
                return [np.flatnonzero(groups == group) for group in sorted(set(groups))]

            voiced = [tone[block][tone[block] > 0] for block in blocks]
            usual = np.median(np.concatenate(voiced))
            high = [np.median(one) if len(one) > 8 else usual for one in voiced]
            means = [features[block].mean(0) for block in blocks]
            both = [np.concatenate([features[block].mean(0), features[block].std(0)]) for block in blocks]
            tries = {
                "means, number known": ward(means),
                "means and deviations, number known": ward(both),
                "means, deviations and pitch, number known": ward(
                    [np.concatenate([one, [2 * (tone - usual) / 0.3] * 3]) for one, tone in zip(both, high)]
                ),
                "pitch alone, number known": ward([[one] for one in high]),
            }
            for penalty in (1.0, 2.0, 3.0):
                tries[f"BIC, penalty {penalty}"] = bic_clusters([features[block] for block in blocks], penalty)
            for name, clusters in tries.items():
                errors.setdefault(name, {}).setdefault(size, []).append(error(active, scored, labelled(clusters)))
                counts.setdefault(name, {}).setdefault(size, []).append(len(clusters))
        print(f"up to {size} voices", flush=True)
        for name, by_size in errors.items():
            line = ", ".join(
                f"{size}: {100 * np.mean(rates):.0f} % ({100 * min(rates):.0f} to {100 * max(rates):.0f}; "
                f"{np.mean(counts[name][size]):.1f} voices found)"
                for size, rates in by_size.items()
            )
            print(f"{name}: {line}")


main()
