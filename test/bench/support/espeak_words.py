"""Speaks a text with libespeak-ng and prints when each word begins.

Usage: espeak_words.py VOICE WAV < TEXT
Writes mono 16-bit PCM to the file WAV, and to standard output as JSON the position of each word in the text, in
characters, with its start in seconds.
"""
import ctypes
import json
import sys
import wave

RETRIEVAL, CHARACTERS, UTF8 = 1, 1, 1
LIST_TERMINATED, WORD = 0, 1


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", ctypes.c_char * 8),
    ]


voice, path = sys.argv[1:]
text = sys.stdin.read().encode()
speech = ctypes.CDLL("libespeak-ng.so.1")
rate = speech.espeak_Initialize(RETRIEVAL, 0, None, 0)
if rate <= 0 or speech.espeak_SetVoiceByName(voice.encode()) != 0:
    sys.exit(f"espeak-ng cannot speak with the voice {voice}.")
samples, words = bytearray(), []


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(Event))
def receive(wav, count, events):
    if wav:
        samples.extend(ctypes.string_at(wav, 2 * count))
    i = 0
    while events[i].type != LIST_TERMINATED:
        if events[i].type == WORD:
            # Positions count from 1.
            words.append({"at": events[i].text_position - 1, "start": events[i].sample / rate})
        i += 1
    return 0


speech.espeak_SetSynthCallback(receive)
speech.espeak_Synth(text, ctypes.c_size_t(len(text) + 1), 0, CHARACTERS, 0, UTF8, None, None)
speech.espeak_Synchronize()
with wave.open(path, "wb") as file:
    file.setparams((1, 2, rate, 0, "NONE", ""))
    file.writeframes(bytes(samples))
json.dump(words, sys.stdout)
