import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';

/** One answer, as far as a description can speak of it. */
export interface DescribedAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The parsed body; the text itself when it is no JSON. */
  readonly body: unknown;
}

/** The parts of an OpenAPI document (3.1) that answers are held against. */
const documentSchema = z.looseObject({
  openapi: z.string().startsWith('3.1'),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        responses: z.record(
          z.string(),
          z.looseObject({
            headers: z
              .record(z.string(), z.looseObject({ required: z.boolean().default(false) }))
              .default({}),
            content: z.record(z.string(), z.unknown()).default({}),
          }),
        ),
      }),
    ),
  ),
});

const rootId = 'description';

/**
 * What a service says of itself in `/openapi.json`, as something that its answers can be held against. The schemas are
 * taken as they are served; nothing of the service's own code is asked.
 */
export class Description {
  readonly #document: z.infer<typeof documentSchema>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  /** @throws when `document` is no OpenAPI document of version 3.1. */
  constructor(document: unknown) {
    this.#document = documentSchema.parse(document);
    this.#ajv.addFormat('uri', (text) => URL.canParse(text));
    this.#ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
    this.#ajv.addSchema({ ...this.#document, $id: rootId }, rootId, false, false);
  }

  /**
   * What of an answer is not as it is described: its status, a header, its body. Empty when all is as it should be, and
   * for requests of which nothing is described.
   *
   * @param path as it was asked for, without the base address.
   */
  faultsOf(method: string, path: string, answer: DescribedAnswer): readonly string[] {
    const template = this.#templateOf(path);
    const verb = method.toLowerCase();
    const responses = template === null ? undefined : this.#document.paths[template]?.[verb]?.responses;
    if (template === null || responses === undefined) return [];
    const status = String(answer.status);
    const response = responses[status];
    if (response === undefined) return [`status ${status} is not described`];

    const place = ['paths', template, verb, 'responses', status];
    const headerFaults = Object.entries(response.headers).flatMap(([name, { required }]) => {
      const value = answer.header(name.toLowerCase());
      if (value === undefined) return required ? [`header ${name} is missing`] : [];
      return this.#faults([...place, 'headers', name, 'schema'], value, `header ${name}`);
    });
    const [type] = Object.keys(response.content);
    if (type === undefined) return headerFaults;
    const sent = answer.header('content-type')?.split(';')[0]?.trim();
    return [
      ...headerFaults,
      ...(sent === type ? [] : [`the body is ${sent ?? 'of no type'}, not ${type}`]),
      ...this.#faults([...place, 'content', type, 'schema'], answer.body, 'the body'),
    ];
  }

  /** Whether a value is what the description allows as the JSON body of a request. */
  takes(method: string, template: string, body: unknown): boolean {
    const place = ['paths', template, method.toLowerCase(), 'requestBody', 'content', 'application/json'];
    return this.#faults([...place, 'schema'], body, 'the body').length === 0;
  }

  #templateOf(path: string): string | null {
    const [bare = ''] = path.split(/[?#]/);
    const pieces = bare.split('/');
    const fits = (template: string): boolean => {
      const expected = template.split('/');
      return (
        expected.length === pieces.length &&
        expected.every((piece, i) => (piece.startsWith('{') ? pieces[i] !== '' : piece === pieces[i]))
      );
    };
    return Object.keys(this.#document.paths).find(fits) ?? null;
  }

  /** Holds a value against the schema at a place of the document, so that references within it hold as well. */
  #faults(place: readonly string[], value: unknown, what: string): readonly string[] {
    const pointer = place.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
    const $ref = `${rootId}#/${pointer.map(encodeURIComponent).join('/')}`;
    const validate = this.#compiled.get($ref) ?? this.#ajv.compile({ $ref });
    this.#compiled.set($ref, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}
