/** Function words, which determine good line breaks. */
export interface FunctionWords {
  /** Never the last word of a line. */
  readonly articles: ReadonlySet<string>;
  /** Conjunctions and prepositions: they belong to what follows, so a line breaks before them. */
  readonly connectives: ReadonlySet<string>;
}

function words(articles: string, connectives: string): FunctionWords {
  return { articles: wordsIn(articles), connectives: wordsIn(connectives) };
}

const wordsIn = (list: string): ReadonlySet<string> => new Set(list.split(' ').filter((word) => word !== ''));

const none = words('', '');

const byLanguage: Readonly<Record<string, FunctionWords>> = {
  en: words(
    'a an the',
    'and or but nor so yet because although though while when where if unless until since that which who whose ' +
      'as than of in on at by for with from to into onto over under about after before between through during ' +
      'without within against among around behind beyond despite except like near toward towards upon',
  ),
  de: words(
    'der die das den dem des ein eine einen einem einer eines',
    'und oder aber denn sondern weil dass ob wenn als wie während obwohl bevor nachdem damit sodass ' +
      'in im an am auf aus bei beim mit nach von vom zu zum zur für durch gegen ohne um über unter vor ' +
      'zwischen hinter neben seit bis trotz wegen',
  ),
  fr: words(
    'le la les un une des du au aux',
    'et ou mais donc or ni car que qui dont où quand lorsque comme si parce puisque quoique tandis ' +
      'de à en dans sur sous par pour avec sans chez vers entre contre depuis pendant avant après',
  ),
  es: words(
    'el la los las un una unos unas lo al del',
    'y e o u pero sino ni que porque aunque cuando como si donde quien mientras pues ' +
      'a de en con por para sin sobre entre hasta desde hacia contra según durante tras ante bajo',
  ),
  it: words(
    'il lo la i gli le un uno una',
    'e ed o ma che perché se quando come dove mentre anche né però quindi ' +
      'di a da in con su per tra fra del della dei degli delle dal dalla nel nella nei nelle sul sulla al alla ai alle',
  ),
  pt: words(
    'o a os as um uma uns umas',
    'e ou mas nem que porque se quando como onde enquanto embora pois ' +
      'de do da dos das em no na nos nas por pelo pela para com sem sobre entre até desde contra ao à',
  ),
  nl: words(
    'de het een',
    'en of maar want dus dat omdat als toen terwijl hoewel zodat wanneer die wie waar ' +
      'in op aan bij met van voor naar uit door over onder tegen tussen zonder om tot sinds tijdens na',
  ),
  ru: words(
    '',
    'и а но или да что чтобы если когда как потому хотя пока где который которая которые ' +
      'в во на с со к ко по из за от до для без у о об при про через над под между перед',
  ),
};

/**
 * Returns the function words of a language by its BCP 47 tag: English ones for `null`, none for a language not listed
 * here.
 */
export function functionWordsOf(language: string | null): FunctionWords {
  const [code = ''] = (language ?? 'en').split('-');
  return byLanguage[code] ?? none;
}
