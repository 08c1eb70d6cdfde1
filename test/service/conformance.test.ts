import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/on-device.ts';
import { checks } from './conformance/checks.ts';
import { Api } from './support/api.ts';

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
