import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/on-device.ts';
import { authenticationChecks } from './conformance/authentication.ts';
import type { Check } from './conformance/check.ts';
import { creationChecks } from './conformance/creation.ts';
import { resultChecks } from './conformance/results.ts';
import { uploadingChecks } from './conformance/uploading.ts';
import { Api } from './support/api.ts';

const checks: readonly Check[] = [
  ...creationChecks,
  ...uploadingChecks,
  ...resultChecks,
  ...authenticationChecks,
];

describe('the on-device service keeps the API', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startOnDevice({ credits: 1000 });
  });
  afterAll(async () => service.stop());

  test.each(checks)('part $part: $rule', async (check) => {
    await expect(check.run(new Api(service))).resolves.toBeUndefined();
  });
});
