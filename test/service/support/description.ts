import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';

/** The parts of a response that a description covers. */
export interface DescribedResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The parsed body; the text itself when it is not JSON. */
  readonly body: unknown;
}

/** The parts of an OpenAPI document (3.1) that responses are checked against. */
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
 * Checks responses against the `/openapi.json` of a service. It only uses the served schemas, not the service's code.
 */
export class Description {
  readonly #document: z.infer<typeof documentSchema>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  /** @throws when `document` is not an OpenAPI document of version 3.1. */
  constructor(document: unknown) {
    this.#document = documentSchema.parse(document);
    this.#ajv.addFormat('uri', (text) => URL.canParse(text));
    this.#ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
    this.#ajv.addSchema({ ...this.#document, $id: rootId }, rootId, false, false);
  }

  /**
   * Returns the differences between a response and its description: status, headers, body. Empty when there are none,
   * and for requests without a description.
   *
   * @param path as requested, without the base address.
   */
  faultsOf(method: string, path: string, response: DescribedResponse): readonly string[] {
    const template = this.#templateOf(path);
    const verb = method.toLowerCase();
    const responses = template === null ? undefined : this.#document.paths[template]?.[verb]?.responses;
    if (template === null || responses === undefined) return [];
    const status = String(response.status);
    const description = responses[status];
    if (description === undefined) return [`status ${status} is not described`];

    const schemaPath = ['paths', template, verb, 'responses', status];
    const headerFaults = Object.entries(description.headers).flatMap(([name, { required }]) => {
      const value = response.header(name.toLowerCase());
      if (value === undefined) return required ? [`header ${name} is missing`] : [];
      return this.#faults([...schemaPath, 'headers', name, 'schema'], value, `header ${name}`);
    });
    const [type] = Object.keys(description.content);
    if (type === undefined) return headerFaults;
    const sent = response.header('content-type')?.split(';')[0]?.trim();
    return [
      ...headerFaults,
      ...(sent === type ? [] : [`the body is ${sent ?? 'of no type'}, not ${type}`]),
      ...this.#faults([...schemaPath, 'content', type, 'schema'], response.body, 'the body'),
    ];
  }

  /** Whether the description allows a value as the JSON body of a request. */
  allowsBody(method: string, template: string, body: unknown): boolean {
    const schemaPath = [
      'paths',
      template,
      method.toLowerCase(),
      'requestBody',
      'content',
      'application/json',
    ];
    return this.#faults([...schemaPath, 'schema'], body, 'the body').length === 0;
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

  /** Validates a value against the schema at a path of the document, so that its references resolve. */
  #faults(schemaPath: readonly string[], value: unknown, what: string): readonly string[] {
    const pointer = schemaPath.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
    const $ref = `${rootId}#/${pointer.map(encodeURIComponent).join('/')}`;
    const validate = this.#compiled.get($ref) ?? this.#ajv.compile({ $ref });
    this.#compiled.set($ref, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}
