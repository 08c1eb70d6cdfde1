import { type Matrix, multiplyByTransposed, newMatrix, rowOf, transpose, withUnitRows } from './matrix.ts';
import { type NumpyArray, readNpz } from './npz.ts';

/**
 * What distinguishes speakers in the space of an embedding model: probabilistic linear discriminant analysis. Vectors of
 * one speaker have an identity covariance in its space, and those of different speakers a diagonal one.
 */
export interface Plda {
  /** Dimensions of an embedding. */
  readonly inputs: number;
  readonly firstMean: Float64Array;
  /** The linear discriminant analysis: [dimensions of the space, inputs]. */
  readonly discriminant: Matrix;
  readonly secondMean: Float64Array;
  readonly mean: Float64Array;
  /** Makes both covariances diagonal: a square matrix. */
  readonly diagonalizer: Matrix;
  /** The covariance between speakers along each dimension of the space. */
  readonly betweenSpeakers: Float64Array;
}

/**
 * Reads the two files of the PLDA that pyannote's community-1 publishes for WeSpeaker's ResNet34.
 *
 * pyannote solves a generalized eigenvalue problem for the covariances (`vbx_setup`). Its solution is the rows of `tr`
 * and `psi` themselves, except for order and signs, on which no result depends: with W⁻¹ = trᵀ tr and B⁻¹ = trᵀ ψ⁻¹ tr,
 * the vectors v = trᵀ e satisfy B v = ψ W v and vᵀ W v = 1.
 *
 * @param transform `xvec_transform.npz`: `mean1` [inputs], `lda` [inputs, n], `mean2` [n]
 * @param plda `plda.npz`: `mu` [n], `tr` [n, n], `psi` [n]
 * @throws RangeError when an array is missing or has another shape
 */
export function readPlda(transform: Uint8Array, plda: Uint8Array): Plda {
  const transformArrays = readNpz(transform, ['mean1', 'lda', 'mean2']);
  const pldaArrays = readNpz(plda, ['mu', 'tr', 'psi']);
  const [inputs = 0, width = 0] = transformArrays.get('lda')?.shape ?? [];
  return {
    inputs,
    firstMean: arrayOf(transformArrays, 'mean1', inputs),
    discriminant: transpose({
      rows: inputs,
      columns: width,
      values: arrayOf(transformArrays, 'lda', inputs, width),
    }),
    secondMean: arrayOf(transformArrays, 'mean2', width),
    mean: arrayOf(pldaArrays, 'mu', width),
    diagonalizer: { rows: width, columns: width, values: arrayOf(pldaArrays, 'tr', width, width) },
    betweenSpeakers: arrayOf(pldaArrays, 'psi', width),
  };
}

/** @throws RangeError when the array is missing or has another shape */
function arrayOf(
  arrays: ReadonlyMap<string, NumpyArray>,
  name: string,
  ...shape: readonly number[]
): Float64Array {
  const array = arrays.get(name);
  if (array === undefined || array.shape.join() !== shape.join()) {
    const difference = array === undefined ? 'is missing' : `has the shape [${array.shape.join(', ')}]`;
    throw new RangeError(`The PLDA's array ${name} ${difference} instead of [${shape.join(', ')}].`);
  }
  return array.values;
}

/**
 * Maps embeddings into the space of a PLDA: centred and scaled to a sphere, before and after the linear discriminant
 * analysis, then centred and made diagonal.
 *
 * @param embeddings [n, inputs], as the model returns them
 * @returns [n, dimensions of the space]
 */
export function toPldaSpace(plda: Plda, embeddings: Matrix): Matrix {
  const centred = scaleToSphere(subtractMean(embeddings, plda.firstMean));
  const discriminated = newMatrix(embeddings.rows, plda.discriminant.rows);
  multiplyByTransposed(centred, plda.discriminant, discriminated);
  const centredAgain = subtractMean(scaleToSphere(subtractMean(discriminated, plda.secondMean)), plda.mean);
  const mapped = newMatrix(embeddings.rows, plda.diagonalizer.rows);
  multiplyByTransposed(centredAgain, plda.diagonalizer, mapped);
  return mapped;
}

function subtractMean(matrix: Matrix, mean: Float64Array): Matrix {
  const centred = newMatrix(matrix.rows, matrix.columns);
  for (let i = 0; i < matrix.rows; i++) {
    const row = rowOf(centred, i);
    row.set(rowOf(matrix, i));
    for (let k = 0; k < row.length; k++) row[k] = (row[k] ?? 0) - (mean[k] ?? 0);
  }
  return centred;
}

/** Scales rows to the length that vectors of independent values of variance 1 have on average. */
function scaleToSphere(matrix: Matrix): Matrix {
  const scale = Math.sqrt(matrix.columns);
  const unit = withUnitRows(matrix);
  return { ...unit, values: unit.values.map((value) => value * scale) };
}
