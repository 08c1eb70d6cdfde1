import { existsSync } from 'node:fs';
import { accuracies } from '../contract/options.ts';
import type { SpeechModel } from '../contract/model/service.ts';
import { modelFolder, modelFor, modelSizeBytes } from '../on-device/engine/models.ts';

/** The models of the on-device service and whether they are there; their content is checked when one is loaded. */
export function speechModels(modelsFolder: string): readonly SpeechModel[] {
  return accuracies.map((accuracy) => {
    const model = modelFor({ accuracy, translateToEnglish: false });
    return {
      accuracy,
      name: `Whisper ${model}`,
      sizeBytes: modelSizeBytes(model),
      installed: existsSync(modelFolder(modelsFolder, model)),
    };
  });
}
