import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { reportedBalance } from '../billing.ts';
import {
  createBodySchema,
  createdEnvelopeSchema,
  createHeadersSchema,
  type CreatedEnvelope,
  type CreateBody,
  type UploadBody,
} from '../http/api-schemas.ts';
import type { ServiceServer } from '../http/server-types.ts';
import type { IdempotencyRecord } from '../jobs/job-store.ts';
import { type ServiceJob, type NewJob, planParts } from '../jobs/job.ts';
import { assertMediaName, guessSourceKind } from '../media/file-kind.ts';
import { fileNameOf, parseRemoteUrl } from '../remote/remote-url.ts';
import { ServiceError } from '../service-error.ts';
import { jobsPath, jobUrl, type ServiceContext, toMeta, toWireJob } from './job-resource.ts';

/** POST /api/v1/transcriptions: creates a job for a link, or an upload session for a file (API part 4.1). */
export function registerCreate(server: ServiceServer, context: ServiceContext): void {
  const pending = new Set<string>();

  server.post(
    jobsPath,
    {
      schema: {
        headers: createHeadersSchema,
        body: createBodySchema,
        response: { 200: createdEnvelopeSchema, 201: createdEnvelopeSchema, 202: createdEnvelopeSchema },
      },
      config: {
        summary: 'Create a job from a remote file, or an upload session for a local one',
        internalErrorCode: 'request_failed',
        headers: {
          200: ['location', 'retry-after', 'idempotency-replayed'],
          201: ['location', 'retry-after'],
          202: ['location', 'retry-after'],
        },
        errors: [
          'invalid_idempotency_key',
          'invalid_remote_url',
          'insecure_remote_url',
          'remote_host_blocked',
          'insufficient_credits',
          'idempotency_pending',
          'idempotency_conflict',
          'file_too_large',
          'unsupported_file',
          'remote_host_unresolved',
          'active_job_limit',
          'remote_dns_failed',
          'provider_unavailable',
        ],
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key'];
      if (key === undefined) {
        await assertAcceptable(context, request.body);
        return createJob(context, request, reply, request.body, null);
      }

      const record = { key, fingerprint: fingerprintOf(request.body) };
      const earlierRequest = context.store.findByIdempotencyKey(key);
      if (earlierRequest !== null) return replay(context, request, reply, earlierRequest, record);
      await assertAcceptable(context, request.body);
      // Another request with the same key may have been stored meanwhile.
      const concurrentRequest = context.store.findByIdempotencyKey(key);
      if (concurrentRequest !== null) return replay(context, request, reply, concurrentRequest, record);
      // Until the job is stored, the key is only in memory; a restart before that loses both.
      if (pending.has(key)) {
        throw new ServiceError(
          'idempotency_pending',
          'The first request with this key is still being stored.',
        );
      }
      pending.add(key);
      try {
        return await createJob(context, request, reply, request.body, record);
      } finally {
        pending.delete(key);
      }
    },
  );
}

/** @throws ServiceError for a file that is never accepted, or when the engine or the disk cannot take the job now. */
async function assertAcceptable({ availability, limits }: ServiceContext, body: CreateBody): Promise<void> {
  if (body.kind === 'file') {
    assertMediaName(body.fileName);
    if (body.sizeBytes > limits.maxFileBytes) {
      throw new ServiceError(
        'file_too_large',
        `Files of more than ${limits.maxFileBytes} bytes are not accepted.`,
      );
    }
  }
  await availability.assertEngineReady(body.options);
  await availability.assertFreeSpace(body.kind === 'file' ? body.sizeBytes : 0);
}

async function createJob(
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: CreateBody,
  record: IdempotencyRecord | null,
): Promise<CreatedEnvelope> {
  const job = body.kind === 'file' ? newFileJob(context, body) : await newLinkJob(context, body);
  const creation = context.store.create(job, context.limits.maxActiveJobs, record);
  switch (creation.kind) {
    case 'too-many-active':
      throw new ServiceError(
        'active_job_limit',
        `There are ${context.limits.maxActiveJobs} active jobs already; wait until one ends.`,
      );
    case 'insufficient-credits':
      throw new ServiceError(
        'insufficient_credits',
        `The account has ${reportedBalance(creation.balance)} credits left, which is not enough for another job.`,
      );
    case 'created':
      context.processor.wake();
      reply.code(body.kind === 'file' ? 201 : 202);
      return respondCreated(context, request, reply, creation.job);
  }
}

/** Idempotency rules 1 and 2 (API part 4.1). */
function replay(
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply,
  earlier: { readonly fingerprint: string; readonly job: ServiceJob },
  record: IdempotencyRecord,
): CreatedEnvelope {
  if (earlier.fingerprint !== record.fingerprint) {
    throw new ServiceError('idempotency_conflict', 'This key was used before with other parameters.');
  }
  reply.code(200).header('idempotency-replayed', 'true');
  return respondCreated(context, request, reply, earlier.job);
}

function respondCreated(
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply,
  job: ServiceJob,
): CreatedEnvelope {
  const location = jobUrl(request, job.id);
  reply.header('location', location).header('retry-after', context.limits.pollSeconds);
  const upload = toWireUpload(job, location);
  return {
    data: { ...toWireJob(context, job), ...upload },
    ...upload,
    meta: toMeta(context),
  };
}

/** Returns the upload session while it waits for parts, otherwise an empty object. */
function toWireUpload(job: ServiceJob, location: string): { readonly upload?: UploadBody } {
  if (job.source.kind !== 'file' || (job.status !== 'accepted' && job.status !== 'uploading')) return {};
  const { partSize, partCount, expiresAt } = job.source.upload;
  return {
    upload: {
      part_size: partSize,
      part_count: partCount,
      part_url: `${location}/upload`,
      complete_url: `${location}/complete`,
      expires_at: new Date(expiresAt).toISOString(),
    },
  };
}

function newFileJob(
  { random, clock, limits }: ServiceContext,
  body: CreateBody & { readonly kind: 'file' },
): NewJob {
  const { fileName, sizeBytes, mimeType, options, words } = body;
  const upload = planParts(sizeBytes, limits.partBytes, clock.now() + limits.uploadSessionMs);
  return {
    id: random.uuid(),
    fileName,
    mimeType,
    source: { kind: 'file', sizeBytes, upload },
    sourceKind: guessSourceKind(fileName),
    options,
    withWords: words,
  };
}

async function newLinkJob(
  { random, remoteHosts }: ServiceContext,
  body: CreateBody & { readonly kind: 'link' },
): Promise<NewJob> {
  const url = parseRemoteUrl(body.url);
  await remoteHosts.check(url);
  const fileName = fileNameOf(url);
  return {
    id: random.uuid(),
    fileName,
    mimeType: body.mimeType,
    source: { kind: 'link', url: url.href },
    sourceKind: guessSourceKind(fileName),
    options: body.options,
    withWords: body.words,
  };
}

/** Returns a digest of the parameters with defaults filled in, so that equivalent requests have the same digest. */
function fingerprintOf(body: CreateBody): string {
  const { options, mimeType, words } = body;
  const subject = body.kind === 'file' ? [body.fileName, body.sizeBytes] : [body.url];
  const parameters = [
    body.kind,
    ...subject,
    mimeType,
    options.language,
    options.accuracy,
    options.translateToEnglish,
    // Extensions that are not used add nothing, so that keys from versions without them keep their digest.
    ...(words ? ['words'] : []),
    ...(options.terms.length > 0 ? [options.terms] : []),
  ];
  return createHash('sha256').update(JSON.stringify(parameters)).digest('hex');
}
