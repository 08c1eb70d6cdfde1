/** Whisper's graphs, made from the published ones, which compute much that is not needed. */
import {
  addOutput,
  elementType,
  dimensionsOf,
  indexTensor,
  pruneToOutputs,
  makeNode,
  makeNodeLike,
  type Model,
  type Node,
  readModel,
  runtimeDomain,
  replaceConditionByBranch,
  toSignedBytes,
  addInput,
  allowRuntimeOperators,
  writeModel,
} from '../onnx/onnx-graph.ts';
import { interruptShapeLength } from './interrupt.ts';
import type { AlignmentHead } from './tokenizer.ts';

/**
 * Models with at most this many heads (tiny and base) run with float weights: quantization costs them much accuracy and
 * saves little time. The small model loses next to nothing, and would take a third longer.
 */
const maxHeadsForFloatWeights = 8;
/** An encoder's input for an {@link Interrupt}. */
export const interruptInput = 'interrupt';
/** The decoder's input for the attention mask. */
const maskInput = 'mask';
/** The frames of a window that tokens attend to. */
const audioFrames = 1500;
/** The decoder's output with the cross-attention of the alignment heads. */
export const alignmentOutput = 'alignment';

/**
 * Builds the encoder without the attention outputs of its export, which would take 1.3 GB in the small model.
 *
 * Inputs `input_features` [1, 80 or 128, 3000] and `interrupt` [3], the shape of an {@link Interrupt}; output
 * `last_hidden_state` [1, 1500, width].
 *
 * @param heads how many heads each attention has
 */
export function encoderGraph(published: Uint8Array, heads: number): Uint8Array {
  const encoder = addInterruptionPoints(fuseAttention(readModel(published), heads), isSumOfLayer);
  const outputs = ['last_hidden_state'];
  const quantized = (): Model => useSignedWeights(pruneToOutputs(encoder, outputs));
  const withFloats = (): Model => pruneToOutputs(useFloatWeights(encoder), outputs);
  return writeModel(heads > maxHeadsForFloatWeights ? quantized() : withFloats());
}

/** The size of a model. */
export interface ModelSize {
  /** Mel bands of its input: 80 or 128. */
  readonly melBands: number;
  /** Heads of each attention, in the encoder as in the decoder. */
  readonly heads: number;
}

/**
 * Returns the size of a model: that of the weights of its encoder's first convolution.
 *
 * @throws RangeError when the encoder does not begin with a convolution of the audio.
 */
export function sizeOf(published: Uint8Array): ModelSize {
  const encoder = readModel(published);
  const firstConvolution = encoder.nodes.find(
    ({ op, inputs: [input] }) => op.startsWith('Conv') && (input ?? '').startsWith('input_features'),
  );
  const weight = encoder.weights.get(firstConvolution?.inputs[1] ?? '');
  const [width, melBands] = weight === undefined ? [] : dimensionsOf(weight);
  if (width === undefined || melBands === undefined)
    throw new RangeError("The encoder's first convolution is not the expected one.");
  return { melBands, heads: width / headWidth };
}

/**
 * Builds the part of the decoder that depends only on the audio and runs once per window: the keys and values of its
 * cross-attention.
 *
 * Input `encoder_hidden_states`, outputs `present.<layer>.encoder.{key,value}`.
 */
export function crossAttentionGraph(published: Uint8Array): Uint8Array {
  const decoder = replaceConditionByBranch(readModel(published), 'else_branch');
  const outputs = [...decoder.outputs.keys()].filter((name) => /^present\..*\.encoder\./.test(name));
  // These outputs need the batch size, which the export takes from the text; the audio has it as well.
  const nodes = decoder.nodes.map((node) =>
    node.op === 'Shape' ? makeNode('Shape', ['encoder_hidden_states'], node.outputs) : node,
  );
  return writeModel(pruneToOutputs({ ...decoder, nodes }, outputs));
}

/**
 * Builds the graph for one run of the decoder: from new tokens and the KV cache to the scores of the token after the last
 * of them.
 *
 * Inputs `input_ids` [1, tokens], `mask` [tokens, cached + tokens], which is added to the attention scores, and
 * `past_key_values.<layer>.{decoder,encoder}.{key,value}`; outputs `logits` [1, 1, 51865 or 51866],
 * `present.<layer>.decoder.{key,value}` and, if there are alignment heads, `alignment` [heads, tokens, 1500]: how much
 * each new token attends to each frame of the audio.
 *
 * @param heads how many heads each attention has
 */
export function decoderGraph(
  published: Uint8Array,
  heads: number,
  alignmentHeads: readonly AlignmentHead[],
): Uint8Array {
  const decoder = replaceConditionByBranch(readModel(published), 'then_branch');
  const cacheOutputs = [...decoder.outputs.keys()].filter((name) => /^present\..*\.decoder\./.test(name));
  const completeDecoder = addAlignment(
    quantizeScores(addMask(useConstantShapes(decoder, heads))),
    alignmentHeads,
  );
  const alignment = alignmentHeads.length > 0 ? [alignmentOutput] : [];
  return writeModel(pruneToOutputs(completeDecoder, ['logits', ...cacheOutputs, ...alignment]));
}

/**
 * Adds an output with the cross-attention of some heads. Their layers' whole attention as outputs would take several times
 * the memory.
 *
 * @throws RangeError when the model has no such attention.
 */
function addAlignment(decoder: Model, heads: readonly AlignmentHead[]): Model {
  if (heads.length === 0) return decoder;
  const values = new Set(decoder.nodes.flatMap((node) => node.outputs));
  const nodes: Node[] = [];
  const weights = new Map(decoder.weights);
  const parts: string[] = [];
  const axis = hasFlatAttention(decoder) ? 0 : 1;
  for (const layer of new Set(heads.map((head) => head.layer))) {
    const attention = `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`;
    if (!values.has(attention))
      throw new RangeError("The decoder's cross-attention is not the expected one.");
    const [indices, part] = [`${alignmentOutput}/${layer}/heads`, `${alignmentOutput}/${layer}`];
    const headsOfLayer = heads.filter((head) => head.layer === layer).map(({ head }) => head);
    weights.set(indices, indexTensor(indices, ...headsOfLayer));
    nodes.push(makeNode('Gather', [attention, indices], [part], { axis }));
    parts.push(part);
  }
  const [concatenated, shape] = [`${alignmentOutput}/all`, `${alignmentOutput}/shape`];
  weights.set(shape, indexTensor(shape, heads.length, -1, audioFrames));
  nodes.push(
    makeNode('Concat', parts, [concatenated], { axis }),
    makeNode('Reshape', [concatenated, shape], [alignmentOutput]),
  );
  return addOutput(
    { ...decoder, nodes: [...decoder.nodes, ...nodes], weights },
    alignmentOutput,
    elementType.float,
    [heads.length, null, null],
  );
}

/**
 * Fuses each attention into one operation that works piece by piece in the processor's cache. As published, the scores of
 * all pairs of 1500 audio frames are written to memory three times. Exporters differ in the operations of an
 * attention, but not in its inputs and in what uses its result.
 */
function fuseAttention(encoder: Model, heads: number): Model {
  const values = new Set(encoder.nodes.flatMap((node) => node.outputs));
  const projection = /^(\/layers\.\d+\/self_attn\/)out_proj\/MatMul_output_0/;
  const queryKeyValueOf = new Map<string, readonly string[]>();
  for (const { op, inputs, outputs } of encoder.nodes) {
    const [, prefix] = projection.exec(outputs[0] ?? '') ?? [];
    if (prefix === undefined || !op.startsWith('MatMul')) continue;
    const queryKeyValue = ['q_proj/Add', 'k_proj/MatMul', 'v_proj/Add'].map(
      (name) => `${prefix}${name}_output_0`,
    );
    // A quantized product takes its input from `<name>_quantized`.
    const result = (inputs[0] ?? '').replace(/_quantized$/, '');
    if (queryKeyValue.every((name) => values.has(name))) queryKeyValueOf.set(result, queryKeyValue);
  }
  const nodes = encoder.nodes.map((node) => {
    const queryKeyValue = queryKeyValueOf.get(node.outputs[0] ?? '');
    if (queryKeyValue === undefined) return node;
    return makeNode('MultiHeadAttention', queryKeyValue, node.outputs, { num_heads: heads }, runtimeDomain);
  });
  return allowRuntimeOperators({ ...encoder, nodes });
}

/** Whether a node computes one of the two sums of a layer of the encoder. */
const isSumOfLayer = ({ outputs: [output = ''] }: Node): boolean =>
  /^\/layers\.\d+\/Add(_1)?_output_0$/.test(output);

/**
 * Makes a run cancellable after some nodes; see {@link Interrupt}. Their results must have {@link interruptShapeLength}
 * dimensions. A Reshape takes no time, since it moves no data.
 *
 * @throws RangeError when the model has no such nodes.
 */
export function addInterruptionPoints(encoder: Model, isPoint: (node: Node) => boolean): Model {
  const nodes = encoder.nodes.flatMap((node) => {
    if (!isPoint(node)) return [node];
    const [output = '', ...others] = node.outputs;
    const beforePoint = `${output}/whole`;
    return [
      makeNodeLike(node, node.op, node.inputs, [beforePoint, ...others]),
      makeNode('Reshape', [beforePoint, interruptInput], [output]),
    ];
  });
  if (nodes.length === encoder.nodes.length) {
    throw new RangeError("The encoder's layers are not the expected ones.");
  }
  return { ...addInput(encoder, interruptInput, elementType.int64, [interruptShapeLength]), nodes };
}

/**
 * Multiplies float inputs with dequantized weights. As published, the inputs of each product are quantized to 256 steps
 * between their lowest and their highest value, which is very inexact when one value is an outlier.
 */
function useFloatWeights(model: Model): Model {
  const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  const readerOf = (node: Node | undefined) =>
    model.nodes.find(({ inputs }) => inputs.includes(node?.outputs[0] ?? ''));
  const replacements = new Map<Node, readonly Node[]>();
  for (const product of model.nodes) {
    const op = floatOps.get(product.op);
    if (op === undefined) continue;
    const [quantizedInput = '', weight = '', , zero = ''] = product.inputs;
    const [input] = producers.get(quantizedInput)?.inputs ?? [];
    // The integer product is cast to float and then scaled; the float product replaces all three operations.
    const scaled = readerOf(readerOf(product));
    if (input === undefined || scaled?.op !== 'Mul') {
      throw new RangeError(`A ${product.op} of the model is not the expected one.`);
    }
    const scale = weight.replace(/_quantized$/, '_scale');
    replacements.set(scaled, [
      makeNode('DequantizeLinear', [weight, scale, zero], [`${weight}/exact`]),
      makeNodeLike(product, op, [input, `${weight}/exact`], scaled.outputs),
    ]);
  }
  return { ...model, nodes: model.nodes.flatMap((node) => replacements.get(node) ?? [node]) };
}

/** Integer operations and their float counterparts. */
const floatOps: ReadonlyMap<string, string> = new Map([
  ['MatMulInteger', 'MatMul'],
  ['ConvInteger', 'Conv'],
]);

/**
 * Changes unsigned 8-bit weights to signed ones: processors without special instructions for neural networks multiply
 * these in half the steps. The products stay the same, except on x86 without VNNI: there two of them are added in 16 bits,
 * and a sum that is too large becomes the largest value.
 */
function useSignedWeights(model: Model): Model {
  const products = model.nodes.filter((node) => node.op === 'MatMulInteger');
  const changedNames = new Set(
    products.flatMap(({ inputs: [, weight = '', , zero = ''] }) => [weight, zero]),
  );
  const weights = [...model.weights].map(
    ([name, weight]) => [name, changedNames.has(name) ? toSignedBytes(weight) : weight] as const,
  );
  return { ...model, weights: new Map(weights) };
}

/** Values per head of an attention, in all Whisper models. */
const headWidth = 64;

/**
 * Makes the shapes of each attention constant. The published graph computes them from its inputs, for any number of
 * windows, with more than half of its operations. Only exports that compute one head after the other have these shapes;
 * others are returned unchanged.
 */
function useConstantShapes(decoder: Model, heads: number): Model {
  if (!hasFlatAttention(decoder)) return decoder;
  const [splitShape, shapePerHead, shapeOfAllHeads, joinedShape] = [
    [0, 0, heads, headWidth],
    [heads, -1, headWidth],
    [1, heads, -1, headWidth],
    [0, 0, heads * headWidth],
  ];
  const shapes: readonly (readonly [RegExp, readonly number[]])[] = [
    [/self_attn\/Reshape(_[12])?_output_0$/, splitShape],
    [/self_attn\/Reshape_[345]_output_0$/, shapePerHead],
    [/self_attn\/Reshape_8_output_0$/, shapeOfAllHeads],
    [/self_attn\/Reshape_9_output_0$/, joinedShape],
    [/encoder_attn\/Reshape_output_0$/, splitShape],
    [/encoder_attn\/Reshape_[123]_output_0$/, shapePerHead],
    [/encoder_attn\/Reshape_6_output_0$/, shapeOfAllHeads],
    [/encoder_attn\/Reshape_7_output_0$/, joinedShape],
  ];
  const weights = new Map(decoder.weights);
  const nodes = decoder.nodes.map((node) => {
    const [output = ''] = node.outputs;
    const [, prefix] = /^(.*_attn\/)MatMul_1_output_0$/.exec(output) ?? [];
    if (prefix !== undefined) {
      // Between the softmax and this product, the published graph changes the shape of the weights and changes it back.
      return makeNodeLike(
        node,
        node.op,
        [`${prefix}Softmax_output_0`, ...node.inputs.slice(1)],
        node.outputs,
      );
    }
    const [, shape] = shapes.find(([name]) => node.op === 'Reshape' && name.test(output)) ?? [];
    if (shape === undefined) return node;
    const name = `shape/${shape.join(',')}`;
    weights.set(name, indexTensor(name, ...shape));
    return makeNodeLike(node, node.op, [...node.inputs.slice(0, 1), name], node.outputs);
  });
  return { ...decoder, nodes, weights };
}

/** Whether the attention has the heads as its first dimension. Newer exports have the window there: [1, heads, ...]. */
function hasFlatAttention(decoder: Model): boolean {
  return decoder.nodes.some(
    ({ op, outputs: [output] }) =>
      op === 'Reshape' && (output ?? '').endsWith('self_attn/Reshape_9_output_0'),
  );
}

/**
 * Adds an attention mask, so that one run can take several tokens. As published, a decoder with a cache takes one token at
 * a time, so nothing prevents a token from attending to later ones.
 *
 * @throws RangeError when the model has no such attention.
 */
function addMask(decoder: Model): Model {
  const attention = /^\/model\/decoder\/layers\.\d+\/self_attn\/Softmax_output_0$/;
  const nodes = decoder.nodes.flatMap((node) => {
    const [scores = ''] = node.inputs;
    if (node.op !== 'Softmax' || !attention.test(node.outputs[0] ?? '')) return [node];
    const masked = `${scores}/masked`;
    return [
      makeNode('Add', [scores, maskInput], [masked]),
      makeNodeLike(node, node.op, [masked], node.outputs),
    ];
  });
  if (nodes.length === decoder.nodes.length) {
    throw new RangeError("The decoder's attention is not the expected one.");
  }
  return { ...addInput(decoder, maskInput, elementType.float, [null, null]), nodes };
}

/**
 * Computes only the scores after the last token, and in integers like every other product of the model. As published, each
 * run first converts the weights of the whole vocabulary to floats, which takes longer than everything else in it. An
 * export that does not do that is returned unchanged, and returns the scores after each token.
 */
function quantizeScores(decoder: Model): Model {
  const producerOf = (value: string | undefined) => decoder.nodes.find((node) => node.outputs[0] === value);
  const product = producerOf('logits');
  const [state, weights] = product?.inputs ?? [];
  const [integerWeights, weightScale, weightZero] = producerOf(weights)?.inputs ?? [];
  if (product === undefined) throw new RangeError('The decoder has no scores.');
  if (product.op !== 'MatMul' || !state || !integerWeights || !weightScale || !weightZero) return decoder;
  const lastIndex = 'scores/last';
  const scores = [
    makeNode('Gather', [state, lastIndex], ['scores/last_state'], { axis: 1 }),
    makeNode(
      'DynamicQuantizeLinear',
      ['scores/last_state'],
      ['scores/state', 'scores/state_scale', 'scores/state_zero'],
    ),
    makeNode(
      'MatMulInteger',
      ['scores/state', integerWeights, 'scores/state_zero', weightZero],
      ['scores/product'],
    ),
    makeNode('Cast', ['scores/product'], ['scores/product_float'], { to: elementType.float }),
    makeNode('Mul', ['scores/state_scale', weightScale], ['scores/scale']),
    makeNode('Mul', ['scores/product_float', 'scores/scale'], ['logits']),
  ];
  const nodes = [...decoder.nodes.filter((node) => node !== product), ...scores];
  return {
    ...decoder,
    nodes,
    weights: new Map([...decoder.weights, [lastIndex, indexTensor(lastIndex, -1)]]),
  };
}
