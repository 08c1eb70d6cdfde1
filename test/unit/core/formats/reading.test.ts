import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, readTranscript } from '../../../../electron/core/formats/read/read-transcript.ts';
import { BrokenFileError } from '../../../../electron/core/formats/read/read-content.ts';
import { readSubtitles } from '../../../../electron/core/formats/read/read-subtitles.ts';
import { readText } from '../../../../electron/core/formats/read/read-text.ts';

/** Returns the text of a WebVTT cue. */
const textOfCue = (cue: string): string | undefined =>
  readSubtitles(`WEBVTT\n\n00:01.000 --> 00:02.500\n${cue}\n`)?.segments[0]?.text;

/** Returns SubRip with a cue for each line. */
const srtOf = (lines: readonly string[]): string =>
  lines.map((text, index) => `00:00:${10 + index},000 --> 00:00:${10 + index},900\n${text}\n\n`).join('');

/** Returns the speaker and text of each line, read from SubRip. */
const spokenIn = (lines: readonly string[]) =>
  readSubtitles(srtOf(lines))?.segments.map(({ speaker, text }) => [speaker ?? null, text]);

/** Reads lyrics in which the same text follows each time, and returns when they start. */
const startsIn = async (tags: readonly string[], text = 'Hello there'): Promise<unknown> =>
  (await readTranscript('lrc', tags.map((tag) => `[${tag}]${text}\n`).join('')))?.segments.map(
    ({ start }) => start,
  );

describe('subtitles of other programs', () => {
  const hello = [{ start: 1, end: 2.5, text: 'Hello\nthere' }];

  it.each([
    ['as they should be', '1\n00:00:01,000 --> 00:00:02,500\nHello\nthere\n\n'],
    [
      'with a byte order mark and Windows line ends',
      '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\nthere\r\n\r\n',
    ],
    ['without numbers and hours', '00:01.000 --> 00:02.500\nHello\nthere'],
    ['with markup', '1\n00:00:01,000 --> 00:00:02,500\n{\\an8}<i>Hello</i>\n<font color="red">there</font>'],
    [
      'with settings, notes and a name',
      'WEBVTT\n\nNOTE no\n\nintro\n00:01.000 --> 00:02.500 align:start\n<b>Hello</b>\nthere\n',
    ],
    ['with single digits', '1\n0:0:1,0 --> 0:0:2,5\nHello\nthere\n'],
  ])('%s', (_name, content) => {
    expect(readSubtitles(content)?.segments).toEqual(hello);
  });

  it('with angle brackets that are not WebVTT tags, which are text', () => {
    expect(textOfCue('James <troup@debian.org>: Uh, <br> 1 < 2 > 0')).toBe(
      'James <troup@debian.org>: Uh, <br> 1 < 2 > 0',
    );
    const tags =
      '<i> </i> <c.yellow.bg_blue> </c> <b.loud> <u> <ruby> <rt> </rt> </v> </lang> <00:01.500>'.split(' ');
    const markup = fc.constantFrom(...tags, '<lang en-GB>', '<00:00:02.000>');
    const brackets = fc
      .stringMatching(/^[a-z]{5,9}(?:@[a-z]+\.org| [a-z]+|\.[a-z]+)?$/u)
      .map((text) => `<${text}>`);
    const word = fc.stringMatching(/^[a-z]{1,8}$/u);
    const property = fc.property(fc.array(fc.oneof(markup, brackets, word), { maxLength: 12 }), (pieces) => {
      const text = pieces.filter((piece) => !tags.includes(piece) && !/^<(?:lang |\d)/u.test(piece));
      expect(textOfCue(`It ${pieces.join('')}`)).toBe(`It ${text.join('')}`.trim());
    });
    expect(fc.check(property, { numRuns: 300 })).toMatchObject({ failed: false });
  });

  it('without empty lines, out of order and overlapping', () => {
    const content =
      '2\n00:00:03,000 --> 00:00:05,000\nB\n1\n00:00:01,000 --> 00:00:04,000\nA\n3\n00:00:06,000 --> 00:00:05,000\nC';
    expect(readSubtitles(content)?.segments).toEqual([
      { start: 1, end: 4, text: 'A' },
      { start: 3, end: 5, text: 'B' },
      { start: 6, end: 6, text: 'C' },
    ]);
  });

  it('keeps text after an empty line inside of a cue', () => {
    const content = '1\n00:00:01,000 --> 00:00:02,000\nA\n\nB\n\n2\n00:00:03,000 --> 00:00:04,000\nC\n\n3\n';
    expect(readSubtitles(content)?.segments.map(({ text }) => text)).toEqual(['A\nB', 'C\n3']);
  });

  it('reads voices as speakers, a second one into the text, and ignores other tags', () => {
    const cue = 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud Anna &amp; Lee>Hi &lt;you&gt;</v>\n<v Ben>Hi.';
    expect(readSubtitles(cue)?.segments).toEqual([
      { start: 1, end: 2, text: 'Hi <you>\nBen: Hi.', speaker: 'Anna & Lee' },
    ]);
    expect(readSubtitles('Dear all, at 10:00 we --> meet.')).toBeNull();
  });

  it('takes speakers from labels that occur again and again, and leaves others in the text', () => {
    const speech = ['ANNA: Good morning.', 'How are you?', 'Ben: Fine.', 'Note: it rains.'];
    const long = [...speech, 'ANNA: A', 'Ben: B', 'ANNA: C', 'Ben: D'];
    expect(spokenIn(long)).toEqual([
      ['ANNA', 'Good morning.'],
      ['ANNA', 'How are you?'],
      ['Ben', 'Fine.'],
      [null, 'Note: it rains.'],
      ...['A', 'B', 'C', 'D'].map((text, index) => [index % 2 === 0 ? 'ANNA' : 'Ben', text]),
    ]);
    expect(spokenIn(speech)).toEqual(speech.map((text) => [null, text]));
    // It does not begin with one.
    const others = long.slice(1);
    expect(spokenIn(others)).toEqual(others.map((text) => [null, text]));
  });

  it('attributes nothing of a rare or an unknown speaker to the previous one', () => {
    const speech = ['Anna: A', 'Ben: B', 'Anna: C', 'Ben: D', 'Anna: E', 'Ben: F'];
    const spoken = speech.map((line) => line.split(': '));
    expect(spokenIn([...speech, 'Carl: Why?', 'Who knows?', 'Anna: I do.', 'Really.'])).toEqual([
      ...spoken,
      [null, 'Carl: Why?'],
      [null, 'Who knows?'],
      ['Anna', 'I do.'],
      ['Anna', 'Really.'],
    ]);
    expect(spokenIn([...speech, 'Unknown speaker: Why?', 'Who knows?', 'Ben: I do.'])).toEqual([
      ...spoken,
      [null, 'Why?'],
      [null, 'Who knows?'],
      ['Ben', 'I do.'],
    ]);
    // Where there is no dialogue, it is part of the text.
    const few = ['Anna: A', 'Unknown speaker: B'];
    expect(spokenIn(few)).toEqual(few.map((line) => [null, line]));
  });

  it('loses no text of labels, whichever become speakers', async () => {
    const line = fc
      .tuple(
        fc.constantFrom('Anna: ', 'BEN: ', 'Note: ', '司会: ', 'Unknown speaker: ', ''),
        fc.constantFrom('Yes', 'At 10: no', 'So: what'),
      )
      .map((parts) => parts.join(''));
    const property = fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
      const { segments } = readSubtitles(srtOf(lines))!;
      const source = segments.map(({ speaker, text }, index) =>
        lines[index] === text ? text : `${speaker ?? 'Unknown speaker'}: ${text}`,
      );
      expect(source).toEqual(lines);
    });
    expect(fc.check(property, { numRuns: 500 })).toMatchObject({ failed: false });
  });

  it('decodes HTML character references', () => {
    const cue =
      'WEBVTT\n\n00:01.000 --> 00:02.000\nIt&#39;s &quot;on&quot; &#x20AC;5 &amp;#39; &nosuch; &constructor; &#x110000;';
    expect(readSubtitles(cue)?.segments[0]?.text).toBe('It\'s "on" €5 &#39; &nosuch; &constructor; \ufffd');
  });

  it('keeps hours beyond a day, and text that only looks like markup', () => {
    const cue = '7\n100:00:01,000 --> 100:00:02,000\n<Anna> 2 < 3 <script>\n<i>and</i> <br> more';
    expect(readSubtitles(cue)?.segments).toEqual([
      { start: 360_001, end: 360_002, text: '<Anna> 2 < 3 <script>\nand <br> more' },
    ]);
  });

  it('of YouTube', async () => {
    const content = '0:00:01.000,0:00:02.500\nHello\nthere\n\n0:00:03.000,0:00:04.000\nYes\n';
    expect((await readTranscript('sbv', content))?.segments).toEqual([
      ...hello,
      { start: 3, end: 4, text: 'Yes' },
    ]);
    expect(await readTranscript('sbv', 'Dear all,\n')).toBeNull();
  });

  it('of a music player: several times per line, word times, an offset', async () => {
    const content =
      '[ti:Song]\n[offset:+500]\n[00:10.50][00:01.50]Hello <00:02.00>there\nagain\n[00:04:50]\n';
    expect((await readTranscript('lrc', content))?.segments).toEqual([
      { start: 1, end: 4, text: 'Hello there\nagain' },
      { start: 10, end: expect.closeTo(11.13, 1), text: 'Hello there\nagain' },
    ]);
  });

  describe('with times of three parts', () => {
    it.each([
      ['hundredths above 59', ['00:01:30', '00:02:75', '00:04:10'], [1.3, 2.75, 4.1]],
      ['beside others of lyrics', ['00:01:30', '00:02.20'], [1.3, 2.2]],
      ['that lyrics can have', ['00:01:30', '00:03:10'], [1.3, 3.1]],
      ['hours with fractions', ['00:01:30.50', '01:00:02.25'], [90.5, 3602.25]],
      ['beside others with fractions', ['00:01:30', '01:00:02.25'], [90, 3602.25]],
    ])('%s', async (_, tags, starts) => {
      expect(await startsIn(tags)).toEqual(starts);
    });

    it('that are all seconds', async () => {
      const seconds = [2, 15, 28, 41, 55, 68, 80, 97, 109, 124, 139];
      const tags = seconds.map((at) => `00:0${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`);
      expect(await startsIn(tags)).toEqual(seconds);
    });

    it('too close to each other for what is said between them', async () => {
      const tags = ['00:00:00', '00:00:04', '00:00:08'];
      expect(await startsIn(tags, 'We choose to go to the moon.')).toEqual([0, 4, 8]);
    });
  });

  it('of a broadcaster: frames, ticks, offsets, spans with times and agents', async () => {
    const content = `<?xml version="1.0"?>
      <tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"
          xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25" ttp:tickRate="1000" xml:lang="de">
        <tt:head><ttm:agent xml:id="a" type="person"><ttm:name type="full">Anna &amp; Lee</ttm:name></ttm:agent></tt:head>
        <tt:body begin="10s"><tt:div>
          <tt:p begin="00:00:01:05" end="00:00:02.500" ttm:agent="a"><tt:span>Hello</tt:span><tt:br/>
            there &#8364;</tt:p>
          <tt:p><tt:span begin="3000t" dur="1.5s">One</tt:span> <tt:span begin="5s" end="6s">Two</tt:span></tt:p>
          <tt:p begin="00:00:07.000" end="00:00:08.000"> </tt:p>
        </tt:div></tt:body>
      </tt:tt>`;
    expect(await readTranscript('ttml', content)).toMatchObject({
      language: 'de',
      segments: [
        { start: 11.2, end: 12.5, text: 'Hello\nthere €', speaker: 'Anna & Lee' },
        { start: 13, end: 14.5, text: 'One' },
        { start: 15, end: 16, text: 'Two' },
      ],
    });
    expect(await readTranscript('ttml', '<html><body>No.</body></html>')).toBeNull();
    const inherited = `<tt><body><div begin="0s" end="5s"><p>Hello</p><p>there</p></div><p>No.</p>
      <p begin="6s" end="9s">One <span begin="1s" end="2s">two</span> three</p></body></tt>`;
    expect((await readTranscript('ttml', inherited))?.segments).toEqual([
      { start: 0, end: 5, text: 'Hello' },
      { start: 0, end: 5, text: 'there' },
      { start: 6, end: 7, text: 'One' },
      { start: 7, end: 8, text: 'two' },
      { start: 8, end: 9, text: 'three' },
    ]);
  });

  it.each([
    [
      'punctuation joins the segment before it, or the first one',
      `<p begin="1s" end="5s">¿<span begin="0s" end="1s">Hello</span>, <span begin="2s" end="3s">world</span>?!</p>`,
      [
        [1, 2, '¿Hello,'],
        [3, 4, 'world?!'],
      ],
    ],
    [
      'words have the time between their neighbors',
      `<div begin="1s" end="9s"><p><span begin="0s" end="1s">One</span> my<br/>own <span begin="2s" end="3s">two</span></p></div>`,
      [
        [1, 2, 'One'],
        [2, 3, 'my\nown'],
        [3, 4, 'two'],
      ],
    ],
    [
      'words for which there is no time join the segment before them, or the first one',
      `<p>So <span begin="0s" end="2s">one </span>and <span begin="2s" end="3s">two</span> three</p>`,
      [
        [0, 2, 'So one and'],
        [2, 3, 'two three'],
      ],
    ],
    [
      'text beside an empty element has the times of its paragraph',
      `<p begin="1s" end="2s">Hello <span begin="0s"/><span begin="1s" end="1s"> </span></p>`,
      [[1, 2, 'Hello']],
    ],
  ])('of text between timed spans: %s', async (_, paragraph, expected) => {
    const read = await readTranscript('ttml', `<tt><body>${paragraph}</body></tt>`);
    expect(read?.segments?.map(({ start, end, text }) => [start, end, text])).toEqual(expected);
  });

  it('fails only with a line number, whatever the content', async () => {
    const kinds = fc.constantFrom('srt', 'vtt', 'sbv', 'lrc', 'ttml', 'json', 'txt', 'doc');
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '00:00:01,000 --> 00:00:02,000',
        '\n',
        '[00:01.00]',
        '<p begin="1s">',
        '{"a":',
        '&#9;',
        '<tt>',
      ),
    );
    const content = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const property = fc.asyncProperty(kinds, content, async (kind, text) => {
      await readTranscript(kind, text).catch((error: unknown) => {
        if (!(error instanceof BrokenFileError)) throw error;
      });
    });
    expect(await fc.check(property, { numRuns: 500 })).toMatchObject({ failed: false });
  });
});

describe('a broken file', () => {
  it.each([
    ['srt', '1\n00:00:01,000 --> 00:00:02,000\nA\n\n2\n00:00:03,000 -->\nB\n', 6],
    ['vtt', 'WEBVTT\n\n00:01.000 --> 00:0x.000\nA\n', 3],
    ['sbv', '0:00:01.000,0:00:02.000\nA\n\n0:00:03.000\nB\n', 4],
    ['lrc', '[00:01.00]A\n[00:2x.00]B\n', 2],
    ['ttml', '<tt>\n<body>\n<p begin="1s">A</q>\n</body></tt>', 3],
    ['json', '{\n"format": "longhand-transcript",\n"version": 1,,\n}', 3],
    ['json', '{\n"format": "longhand-transcript",\n', 2],
  ])('%s fails with its line: %#', async (kind, content, line) => {
    await expect(readTranscript(kind, content)).rejects.toMatchObject({ line });
  });
});

/** Returns a transcript in JSON whose whole text is `text`. */
const jsonOf = (text: string): string =>
  JSON.stringify({
    format: 'longhand-transcript',
    version: 1,
    name: 'Talk',
    language: 'en',
    durationSeconds: 4,
    createdAt: 1,
    text,
    segments: [
      { start: 0, end: 2, text: 'We saw ten boats.' },
      { start: 2, end: 4, text: 'They left.' },
    ],
  });

describe("Longhand's JSON", () => {
  it.each([
    ['a segment was edited', 'We saw two boats.\n\nThey left.', 'We saw ten boats. They left.'],
    [
      'nothing was edited, with its paragraphs',
      'We saw ten boats.\n\nThey left.',
      'We saw ten boats.\n\nThey left.',
    ],
  ])('has the text of its segments: %s', async (_case, text, expected) => {
    expect(await readTranscript('json', jsonOf(text))).toMatchObject({ text: expected });
  });
});

describe('text', () => {
  it.each([
    ['SRT', '1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\n'],
    ['WebVTT', '\uFEFFWEBVTT\n\n00:01.000 --> 00:02.500\nHello\n'],
    ['SBV', '0:00:01.000,0:00:02.500\nHello\n'],
    ['TTML', '<?xml version="1.0"?>\n<tt><body><p begin="1s" end="2.5s">Hello</p></body></tt>'],
  ])('that is %s is read as such', async (_format, content) => {
    const segments = [{ start: 1, end: 2.5, text: 'Hello' }];
    expect(await readTranscript('txt', content)).toMatchObject({ segments });
  });

  it('that only mentions a format stays text', async () => {
    const text = 'WEBVTT is a format.';
    expect(await readTranscript('txt', text)).toMatchObject({ text, segments: [] });
  });

  it('without times stays text', () => {
    expect(readText('One.\n\n\n\nTwo at 10:30.')).toMatchObject({
      text: 'One.\n\nTwo at 10:30.',
      segments: [],
    });
  });

  it('continues in lines without a time', () => {
    expect(readText('(0:01) One\nmore\n1:02:03 - Two')?.segments).toMatchObject([
      { start: 1, end: 3723, text: 'One\nmore' },
      { start: 3723, text: 'Two' },
    ]);
  });

  it.each([
    ['UTF-8', new TextEncoder().encode('Ça và €')],
    ['UTF-16 with a mark', new Uint8Array(Buffer.from('\uFEFFÇa và €', 'utf16le'))],
    ['UTF-16 without', new Uint8Array(Buffer.from('Ça và €', 'utf16le'))],
    ['Windows-1252', Uint8Array.from([0xc7, 0x61, 0x20, 0x76, 0xe0, 0x20, 0x80])],
  ])('in %s', (_name, bytes) => {
    expect(decodeText(bytes).text).toBe('Ça và €');
  });

  it.each([
    ['Windows-1251', 'Привет. Где лодки?', 'cff0e8e2e5f22e20c3e4e520ebeee4eae83f'],
    ['KOI8-R', 'Привет. Где лодки?', 'f0d2c9d7c5d42e20e7c4c520cccfc4cbc93f'],
    ['Shift JIS', 'こんにちは。船はどこですか。', '82b182f182c982bf82cd8142914482cd82c782b182c582b782a98142'],
    [
      'GBK',
      '你好，这是第二行字幕。我们再写一点文字。',
      'c4e3bac3a3acd5e2cac7b5dab6fed0d0d7d6c4bba1a3ced2c3c7d4d9d0b4d2bbb5e3cec4d7d6a1a3',
    ],
    [
      'EUC-KR',
      '안녕하세요. 배는 어디에 있나요?',
      'bec8b3e7c7cfbcbcbfe42e20b9e8b4c220beeeb5f0bfa120c0d6b3aabfe43f',
    ],
    [
      'Windows-1250',
      'Dobrý den. Kde jsou lodě? Žlutá kachna plave stále po jezeře, říká pan Novák.',
      '446f6272fd2064656e2e204b6465206a736f75206c6f64ec3f208e6c7574e1206b6163686e6120706c617665207374e16c6520706f206a657a65f8652c20f8ed6be12070616e204e6f76e16b2e',
    ],
    [
      'Windows-1252',
      'Über die Brücke fährt ein großer Zug – natürlich.',
      'dc62657220646965204272fc636b652066e46872742065696e2067726fdf6572205a75672096206e6174fc726c6963682e',
    ],
    [
      'Windows-1252 in French',
      "1\n00:00:01,000 --> 00:00:03,000\nVoilà, c'est à lui\n\n2\n00:00:04,000 --> 00:00:06,000\nIl va là-bas à midi, déjà.\n\n",
      '310a30303a30303a30312c303030202d2d3e2030303a30303a30332c3030300a566f696ce02c20632765737420e0206c75690a0a320a30303a30303a30342c303030202d2d3e2030303a30303a30362c3030300a496c207661206ce02d62617320e0206d6964692c2064e96ae02e0a0a',
    ],
    [
      'Windows-1252 in German and French',
      '1\n00:00:01,000 --> 00:00:03,000\nGrüße aus Köln – „Zitat“ déjà vu €5\n\n2\n00:00:03,500 --> 00:00:06,000\n- Ja?\n- Nein!\n',
      '310a30303a30303a30312c303030202d2d3e2030303a30303a30332c3030300a4772fcdf6520617573204bf66c6e209620845a69746174932064e96ae02076752080350a0a320a30303a30303a30332c353030202d2d3e2030303a30303a30362c3030300a2d204a613f0a2d204e65696e210a',
    ],
    [
      'Windows-1250 in Czech',
      '1\n00:00:01,000 --> 00:00:03,000\nPříliš žluťoučký kůň úpěl ďábelské ódy\n\n2\n00:00:04,000 --> 00:00:06,000\nDěkuji, že jste přišli.\n\n',
      '310a30303a30303a30312c303030202d2d3e2030303a30303a30332c3030300a50f8ed6c699a209e6c759d6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f364790a0a320a30303a30303a30342c303030202d2d3e2030303a30303a30362c3030300a44ec6b756a692c209e65206a7374652070f8699a6c692e0a0a',
    ],
    [
      'Windows-1250 in Polish',
      '1\n00:00:01,000 --> 00:00:03,000\nZażółć gęślą jaźń\n\n2\n00:00:04,000 --> 00:00:06,000\nŁódź jest piękna, a wrócę już jutro\n\n3\n00:00:07,000 --> 00:00:09,000\nMąż śpi.\n\n',
      '310a30303a30303a30312c303030202d2d3e2030303a30303a30332c3030300a5a61bff3b3e62067ea9c6cb9206a619ff10a0a320a30303a30303a30342c303030202d2d3e2030303a30303a30362c3030300aa3f3649f206a657374207069ea6b6e612c2061207772f363ea206a75bf206a7574726f0a0a330a30303a30303a30372c303030202d2d3e2030303a30303a30392c3030300a4db9bf209c70692e0a0a',
    ],
    [
      'GBK in a short file',
      '1\n00:00:01,000 --> 00:00:03,000\n你好,世界。今天天气很好。\n\n',
      '310a30303a30303a30312c303030202d2d3e2030303a30303a30332c3030300ac4e3bac32ccac0bde7a1a3bdf1ccecccecc6f8badcbac3a1a30a0a',
    ],
  ])('in %s, without being told', (_name, text, hex) => {
    expect(decodeText(Uint8Array.from(Buffer.from(hex, 'hex')))).toStrictEqual({ text, isGuessed: true });
  });

  it('whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(typeof decodeText(bytes).text).toBe('string');
      }),
    );
  });
});
