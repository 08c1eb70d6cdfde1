/** The graphs that Whisper is run as, made from the published ones, which compute much that nobody asks for. */
import { keepOutputs, makeNode, readModel, takeBranch, writeModel, type Model } from './onnx-graph.ts';

/** Number of the type "float" in ONNX. */
const floatType = 1;

/**
 * The encoder without the attentions that its export gives as well: they would take 1.3 GB with the small model.
 *
 * Input `input_features` [1, 80, 3000], output `last_hidden_state` [1, 1500, width].
 */
export function encoderGraph(published: Uint8Array): Uint8Array {
  return writeModel(keepOutputs(readModel(published), ['last_hidden_state']));
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
 * One step of the decoder: from one token and what is remembered to the scores of the next token.
 *
 * Inputs `input_ids` [1, 1] and `past_key_values.<layer>.{decoder,encoder}.{key,value}`, outputs `logits` [1, 1, 51865]
 * and `present.<layer>.decoder.{key,value}`.
 */
export function stepGraph(published: Uint8Array): Uint8Array {
  const decoder = takeBranch(readModel(published), 'then_branch');
  const outputs = [...decoder.outputs.keys()].filter((name) => /^present\..*\.decoder\./.test(name));
  return writeModel(keepOutputs(withWholeNumberScores(decoder), ['logits', ...outputs]));
}

/**
 * Computes the scores as every other product of the model is computed, in whole numbers. As published, each step turns
 * the whole vocabulary's weights into floats first, which takes more time than everything else in it.
 */
function withWholeNumberScores(decoder: Model): Model {
  const producerOf = (value: string | undefined) => decoder.nodes.find((node) => node.outputs[0] === value);
  const product = producerOf('logits');
  const [state, weights] = product?.inputs ?? [];
  const [wholeWeights, weightScale, weightZero] = producerOf(weights)?.inputs ?? [];
  if (!state || !wholeWeights || !weightScale || !weightZero) {
    throw new RangeError("The decoder's last step is not the expected one.");
  }
  const scores = [
    makeNode('DynamicQuantizeLinear', [state], ['scores/state', 'scores/state_scale', 'scores/state_zero']),
    makeNode(
      'MatMulInteger',
      ['scores/state', wholeWeights, 'scores/state_zero', weightZero],
      ['scores/product'],
    ),
    makeNode('Cast', ['scores/product'], ['scores/product_float'], { to: floatType }),
    makeNode('Mul', ['scores/state_scale', weightScale], ['scores/scale']),
    makeNode('Mul', ['scores/product_float', 'scores/scale'], ['logits']),
  ];
  return { ...decoder, nodes: [...decoder.nodes.filter((node) => node !== product), ...scores] };
}
