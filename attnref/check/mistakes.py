"""What can be wrong: by group, each mistake with what it means and how to mend it."""

_FILLS = {
    "zeros before softmax": "{Hidden} get the score 0 (multiplied by 0, or filled with a number "
    "near 0 such as 1e-9), and e⁰ = 1 is a weight. Fill with −∞ before softmax.",
    "added as numbers": "{The} Boolean mask is added to the scores as 0 and 1, which hides "
    "nothing. Turn it into 0 and −∞ first, or use where or masked_fill.",
    "zeros after softmax": "{Hidden} are zeroed after softmax, so weights no longer sum to 1, and "
    "hidden keys still count in the sum. Fill scores with −∞ before softmax.",
}


def _fills(hidden: str, the: str) -> dict[str, str]:
    return {value: says.format(Hidden=hidden, The=the) for value, says in _FILLS.items()}


MISTAKES = {
    "axes": {
        "attends over heads": "It attends over axis 1: at each position, the heads look at each "
        "other. Transpose axes 1 and 2, or say --layout blhd if it takes (B, L, H, D).",
        "viewed on the way in": "view or reshape takes (B, L, H, D) for (B, H, L, D), which mixes "
        "tokens and heads. Use transpose(1, 2) to bring the heads forward.",
        "viewed on the way out": "The output is (B, H, L, Dv) in memory and is viewed as "
        "(B, L, H, Dv), which mixes tokens and heads. Use transpose(1, 2) first, then merge.",
        "viewed both ways": "view or reshape exchanges the axes of heads and tokens, in and out, "
        "which mixes the two. Use transpose(1, 2).",
    },
    "scale": {
        "missing": "Scores are not scaled. Divide them by √D, or softmax saturates as D grows and "
        "gradients vanish.",
        "D": "Scores are divided by D: by D in place of √D, or by √D twice. Divide once by √D.",
        "√(H·D)": "Scores are divided by √(H·D) = √d_model. Divide by the square root of one "
        "head's width, √D.",
        "√S": "Scores are divided by √S, the number of keys. Divide by √D, the last axis of q.",
        "√L": "Scores are divided by √L, the number of queries. Divide by √D, the last axis of q.",
        "√H": "Scores are divided by √H, the number of heads. Divide by √D, the last axis of q.",
        "√Dv": "Scores are divided by √Dv, the width of values. Divide by √D, the width of keys.",
        "multiplied": "Scores are multiplied by √D. Divide them by it.",
        **{
            f"√{n}": f"Scores are divided by √{n} whatever D is. Divide by √D, with D read off q."
            for n in (32, 64, 128, 256, 512, 768, 1024)
        },
    },
    "roles": {
        "queries and keys exchanged": "Queries and keys are exchanged: keys ask, queries answer. "
        "Scores are q @ kᵀ, a row for each query.",
        "keys and values exchanged": "Keys and values are exchanged: scores come from v, and keys "
        "are averaged. Check the order of the arguments.",
        "keys averaged": "The weights are right, but they average the keys. Multiply them by v.",
        "queries averaged": "The weights average the queries. Multiply them by v.",
    },
    "weights": {
        "transposed": "Values are mixed by the transposed weights. The output is weights @ v, "
        "with weights (…, L, S).",
    },
    "softmax": {
        "over queries": "Softmax goes over the queries: columns sum to 1, and a query's weights "
        "depend on other queries. Use the last axis, dim=-1, of scores (B, H, L, S).",
        "over heads": "Softmax goes over the heads, axis 1. Use the last axis, dim=-1.",
        "over the batch": "Softmax goes over the batch, axis 0, so its elements leak into each "
        "other. Use the last axis, dim=-1.",
        "over all pairs": "Softmax goes over queries and keys together. Each query's weights have "
        "to sum to 1: use the last axis, dim=-1, alone.",
        "missing": "There is no softmax: values are weighted by raw scores.",
        "not normalised": "Exponentials are not divided by their sum: weights have to sum to 1.",
        "twice": "Softmax is applied twice, which makes the weights nearly equal. Once is enough.",
    },
    "large scores": {
        "overflow": "Large scores give inf or NaN: e^score overflows. Subtract each row's "
        "maximum before the exponential.",
        "one maximum for all rows": "Rows whose scores are far below those of others give NaN: "
        "the maximum of all is subtracted. Subtract each row's own.",
    },
    "always": {
        "causal even if not asked": "It hides later keys although causal is False. Hide them only "
        "if it is True.",
    },
    "causal": {
        "ignored": "causal=True changes nothing: every query sees later keys, so training leaks "
        "the answer.",
        "hides the diagonal": "The causal mask hides the diagonal too: no query sees its own key, "
        "and the first sees none. Hide only j > i: triu with diagonal=1.",
        "one ahead": "The causal mask is off by one: every query sees one key of the future. Hide "
        "all j > i: triu with diagonal=1, not 2.",
        "upside down": "The causal mask is upside down: queries see themselves and the future, "
        "never the past. Keep tril, hide triu with diagonal=1.",
        "only the future": "The causal mask is inverted: queries see only the future. It hides "
        "what it should keep: keep tril, hide triu with diagonal=1.",
    },
    "causal fill": _fills("Later keys, under the causal mask,", "The causal"),
    "polarity": {
        "inverted": "The mask is read the other way round: what takes part is hidden, and the "
        "reverse. Invert it with ~, or say --mask-true if that is what is meant.",
    },
    "mask fill": {
        "ignored": "The mask changes nothing: hidden keys take part like all others.",
        **_fills("Masked pairs", "The"),
    },
    "mask": {
        "too weak": "With large scores, hidden keys are seen: the mask is a finite number that a "
        "score can get over. Fill with −∞.",
    },
    "together": {
        "only causal": "With causal and a mask, the mask is dropped. A pair needs both.",
        "only the mask": "With causal and a mask, causal is dropped. A pair needs both.",
        "either": "With causal and a mask, a pair that either allows is seen. It needs both: "
        "combine Boolean masks with &.",
    },
    "given scale": {
        "ignored": "The explicit scale changes nothing: 1/√D is used all the same.",
        "on top": "The explicit scale is applied on top of 1/√D. It should replace it.",
        "divided by": "Scores are divided by the explicit scale. Multiply by it.",
    },
    "softcap": {
        "ignored": "softcap changes nothing.",
        "after the mask": "Scores are capped after the mask: tanh turns −∞ into a finite number, "
        "and hidden keys leak in. Cap first, then mask.",
        "before the scale": "The cap bends raw scores, before they are scaled. Scale first.",
    },
    "window": {
        "ignored": "The window changes nothing.",
        "one key short": "The window is one key short on the left: `left` counts the keys before "
        "a query's own, and that one comes on top.",
        "one key long": "The window is one key too long on the left: a query sees `left` keys "
        "and its own, no more.",
    },
    "bias": {
        "ignored": "The bias changes nothing.",
        "subtracted": "The bias is subtracted. Add it to the scores.",
        "scaled too": "The bias is added before the scores are scaled, so it is scaled too. Scale "
        "first, then add.",
    },
    "heads": {
        "tiled": "KV heads are tiled (repeat: 0 1 0 1) where each should serve neighbouring "
        "query heads (0 0 1 1). Use repeat_interleave, which is repeat in NumPy.",
    },
    "leak": {
        "between heads": "Heads leak into each other: another second one changes the output of "
        "the first. Check which axes are summed, reshaped or normalised together.",
        "between batch elements": "Batch elements leak into each other: another second one changes "
        "the output of the first. Check which axes are summed, reshaped or normalised together.",
    },
    "keys": {
        "others are seen": "It differs in no way that is known here. It sees other keys than it "
        "should.",
        "their order matters": "It differs in no way that is known here. The order of keys "
        "matters, and should not. If it works by blocks, their sums have to be rescaled when the "
        "running maximum grows.",
    },
    "output": {
        "weights do not sum to 1": "It differs in no way that is known here. A query's weights "
        "don't sum to 1: with v all ones, the output is not.",
        "NaN": "The output has NaN. A mask made by 0 · −∞ does that: use where or masked_fill.",
        "unknown": "It differs from attention, and in no way that is known here.",
    },
    "rows without keys": {
        "NaN": "A query that sees no key gives NaN, which spreads to all that follows. Give "
        "zeros: where the maximum is −∞, subtract 0; where the sum is 0, divide by 1.",
    },
    "gradients": {
        "NaN": "The gradient has NaN where a query sees no key, although the output has none: NaN "
        "was replaced after softmax. Keep −∞ − (−∞) and 0 / 0 from arising at all.",
    },
    "calls": {
        "differ": "Two calls with the same inputs differ: dropout, or something else that is "
        "random or kept, is on. It has to be off unless a caller asks for it.",
    },
    "inputs": {
        "written to": "It writes to its inputs, which the caller still needs: q = q * scale, not "
        "q *= scale.",
    },
    "strides": {
        "refused": "Inputs that are not contiguous raise an error, and projections leave them so. "
        "Use reshape in place of view.",
        "ignored": "Inputs that are not contiguous give another result: memory is read as if row "
        "lay after row. Honour the strides.",
    },
    "dtype": {
        "changes": "The output has another dtype than the inputs. (In NumPy, dividing by "
        "np.sqrt(D), a float64, does that: use D**0.5.)",
    },
    "lse": {"other": "The second result is not the log-sum-exp of the scores."},
}
