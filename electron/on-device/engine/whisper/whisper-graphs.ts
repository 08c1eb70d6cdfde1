/** The graphs that Whisper is run as, made from the published ones, which compute much that nobody asks for. */
import {
  elementType,
  indexTensor,
  keepOutputs,
  makeNode,
  makeNodeLike,
  type Model,
  type Node,
  readModel,
  runtimeDomain,
  takeBranch,
  toSigned,
  withInput,
  withRuntimeOperators,
  writeModel,
} from '../onnx/onnx-graph.ts';
import { stateDimensions } from './interrupt.ts';

/**
 * The tiny and the base model have no more heads than this. They lose a lot by rounding, and little time without it;
 * the small model loses next to nothing and would take a third more time.
 */
const mostExactHeads = 8;
/** The encoder's input that an {@link Interrupt} comes in by. */
const interruptInput = 'interrupt';
/** The decoder's input that says which tokens a token may heed. */
const maskInput = 'mask';

/**
 * The encoder without the attentions that its export gives as well: they would take 1.3 GB with the small model.
 *
 * Inputs `input_features` [1, 80, 3000] and `interrupt` [3], the shape of an {@link Interrupt}; output
 * `last_hidden_state` [1, 1500, width].
 *
 * @param heads how many heads each attention has
 */
export function encoderGraph(published: Uint8Array, heads: number): Uint8Array {
  const encoder = withInterruptions(withWholeAttention(readModel(published), heads));
  const wanted = ['last_hidden_state'];
  const quick = (): Model => withSignedWeights(keepOutputs(encoder, wanted));
  const exact = (): Model => keepOutputs(withExactInputs(encoder), wanted);
  return writeModel(heads > mostExactHeads ? quick() : exact());
}

/**
 * The part of the decoder that depends on the sound alone: the keys and values of the attention to it, once a window.
 *
 * Input `encoder_hidden_states`, outputs `present.<layer>.encoder.{key,value}`.
 */
export function soundMemoryGraph(published: Uint8Array): Uint8Array {
  const decoder = takeBranch(readModel(published), 'else_branch');
  const outputs = [...decoder.outputs.keys()].filter((name) => /^present\..*\.encoder\./.test(name));
  // These outputs need the size of the batch, which the export takes from the text; the sound has it as well.
  const nodes = decoder.nodes.map((node) =>
    node.op === 'Shape' ? makeNode('Shape', ['encoder_hidden_states'], node.outputs) : node,
  );
  return writeModel(keepOutputs({ ...decoder, nodes }, outputs));
}

/**
 * One step of the decoder: from some tokens and what is remembered to the scores of the token after the last of them.
 *
 * Inputs `input_ids` [1, tokens], `mask` [tokens, remembered + tokens], which is added to what each token is to heed of
 * each other one, and `past_key_values.<layer>.{decoder,encoder}.{key,value}`; outputs `logits` [1, 1, 51865] and
 * `present.<layer>.decoder.{key,value}`.
 */
export function stepGraph(published: Uint8Array): Uint8Array {
  const decoder = takeBranch(readModel(published), 'then_branch');
  const outputs = [...decoder.outputs.keys()].filter((name) => /^present\..*\.decoder\./.test(name));
  return writeModel(keepOutputs(withWholeNumberScores(withMask(decoder)), ['logits', ...outputs]));
}

/**
 * Computes each attention in one operation, piece by piece in the processor's cache, instead of writing down how much
 * each of 1500 moments heeds each other one, three times over.
 *
 * @throws RangeError when the model has no such attention.
 */
function withWholeAttention(encoder: Model, heads: number): Model {
  const heard = /^(\/layers\.\d+\/self_attn\/)Reshape_9_output_0$/;
  const nodes = encoder.nodes.map((node) => {
    const [, place] = heard.exec(node.outputs[0] ?? '') ?? [];
    if (place === undefined) return node;
    const inputs = ['q_proj/Add', 'k_proj/MatMul', 'v_proj/Add'].map((name) => `${place}${name}_output_0`);
    return makeNode('MultiHeadAttention', inputs, node.outputs, { num_heads: heads }, runtimeDomain);
  });
  if (nodes.every((node, i) => node === encoder.nodes[i])) {
    throw new RangeError("The encoder's attention is not the expected one.");
  }
  return withRuntimeOperators({ ...encoder, nodes });
}

/**
 * Lets a run be ended at each sum of the encoder's layers, of which there are two in each: see {@link Interrupt}. A shape
 * costs no time, since nothing is moved.
 *
 * @throws RangeError when the model has no such layers.
 */
function withInterruptions(encoder: Model): Model {
  const sum = /^\/layers\.\d+\/Add(_1)?_output_0$/;
  const nodes = encoder.nodes.flatMap((node) => {
    const [output = ''] = node.outputs;
    if (!sum.test(output)) return [node];
    const whole = `${output}/whole`;
    return [
      makeNodeLike(node, node.op, node.inputs, [whole]),
      makeNode('Reshape', [whole, interruptInput], [output]),
    ];
  });
  if (nodes.length === encoder.nodes.length) {
    throw new RangeError("The encoder's layers are not the expected ones.");
  }
  return { ...withInput(encoder, interruptInput, elementType.int64, [stateDimensions]), nodes };
}

/**
 * Multiplies what the weights stand for with what there is. As published, all that goes into a product is rounded to
 * one of 256 steps between its lowest and its highest value, which leaves little of it where one value stands out.
 */
function withExactInputs(model: Model): Model {
  const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  const readerOf = (node: Node | undefined) =>
    model.nodes.find(({ inputs }) => inputs.includes(node?.outputs[0] ?? ''));
  const exact = new Map<Node, readonly Node[]>();
  for (const product of model.nodes) {
    const op = exactOps.get(product.op);
    if (op === undefined) continue;
    const [rounded = '', weight = '', , zero = ''] = product.inputs;
    const [input] = producers.get(rounded)?.inputs ?? [];
    // The whole numbers become floats, and those are scaled: that is what is computed at once here.
    const scaled = readerOf(readerOf(product));
    if (input === undefined || scaled?.op !== 'Mul') {
      throw new RangeError(`A ${product.op} of the model is not the expected one.`);
    }
    const scale = weight.replace(/_quantized$/, '_scale');
    exact.set(scaled, [
      makeNode('DequantizeLinear', [weight, scale, zero], [`${weight}/exact`]),
      makeNodeLike(product, op, [input, `${weight}/exact`], scaled.outputs),
    ]);
  }
  return { ...model, nodes: model.nodes.flatMap((node) => exact.get(node) ?? [node]) };
}

/** Products of whole numbers, and the same ones of floats. */
const exactOps: ReadonlyMap<string, string> = new Map([
  ['MatMulInteger', 'MatMul'],
  ['ConvInteger', 'Conv'],
]);

/**
 * The same products with weights from -128 to 127 where they were from 0 to 255: processors without special operations
 * for neural networks multiply these in half the steps.
 */
function withSignedWeights(model: Model): Model {
  const products = model.nodes.filter((node) => node.op === 'MatMulInteger');
  const changed = new Set(products.flatMap(({ inputs: [, weight = '', , zero = ''] }) => [weight, zero]));
  const weights = [...model.weights].map(
    ([name, weight]) => [name, changed.has(name) ? toSigned(weight) : weight] as const,
  );
  return { ...model, weights: new Map(weights) };
}

/**
 * Lets several tokens be told at once. As published, a decoder that remembers takes them one by one, so nothing keeps a
 * token from heeding those after it.
 *
 * @throws RangeError when the model has no such attention.
 */
function withMask(decoder: Model): Model {
  const heed = /^\/model\/decoder\/layers\.\d+\/self_attn\/MatMul_output_0$/;
  const nodes = decoder.nodes.flatMap((node) => {
    const [heeded = ''] = node.inputs;
    if (node.op !== 'Softmax' || !heed.test(heeded)) return [node];
    const masked = `${heeded}/masked`;
    return [
      makeNode('Add', [heeded, maskInput], [masked]),
      makeNodeLike(node, node.op, [masked], node.outputs),
    ];
  });
  if (nodes.length === decoder.nodes.length) {
    throw new RangeError("The decoder's attention is not the expected one.");
  }
  return { ...withInput(decoder, maskInput, elementType.float, [null, null]), nodes };
}

/**
 * Computes the scores after the last token alone, and as every other product of the model is computed, in whole numbers.
 * As published, each step turns the whole vocabulary's weights into floats first, which takes more time than everything
 * else in it.
 */
function withWholeNumberScores(decoder: Model): Model {
  const producerOf = (value: string | undefined) => decoder.nodes.find((node) => node.outputs[0] === value);
  const product = producerOf('logits');
  const [state, weights] = product?.inputs ?? [];
  const [wholeWeights, weightScale, weightZero] = producerOf(weights)?.inputs ?? [];
  if (!state || !wholeWeights || !weightScale || !weightZero) {
    throw new RangeError("The decoder's last step is not the expected one.");
  }
  const last = 'scores/last';
  const scores = [
    makeNode('Gather', [state, last], ['scores/last_state'], { axis: 1 }),
    makeNode(
      'DynamicQuantizeLinear',
      ['scores/last_state'],
      ['scores/state', 'scores/state_scale', 'scores/state_zero'],
    ),
    makeNode(
      'MatMulInteger',
      ['scores/state', wholeWeights, 'scores/state_zero', weightZero],
      ['scores/product'],
    ),
    makeNode('Cast', ['scores/product'], ['scores/product_float'], { to: elementType.float }),
    makeNode('Mul', ['scores/state_scale', weightScale], ['scores/scale']),
    makeNode('Mul', ['scores/product_float', 'scores/scale'], ['logits']),
  ];
  const nodes = [...decoder.nodes.filter((node) => node !== product), ...scores];
  return { ...decoder, nodes, weights: new Map([...decoder.weights, [last, indexTensor(last, -1)]]) };
}
