package io.ballast.http.h2.wire;

/**
 * Decodes the Huffman code of HPACK (RFC 7541 section 5.2), four bits per step. The states are the inner nodes of the
 * code tree. Stateless.
 */
final class HuffmanDecoder {

    private static final int NIBBLES = 16;
    private static final int EMITS = 1 << 16;
    private static final int FAILS = 1 << 17;
    private static final int STATE_MASK = 0xff;
    private static final int SYMBOL_SHIFT = 8;

    /** Maximum output bytes per input byte: the shortest code has 5 bits. */
    static final int MAX_EXPANSION = 2;

    /** The transition for each state and nibble: next state, completed byte and flags. */
    private static final int[] STEPS;

    /**
     * Whether a string may end in a state. The bits since the last symbol are then valid padding: fewer than eight, and
     * all ones (RFC 7541 section 5.2).
     */
    private static final boolean[] ENDS = new boolean[NIBBLES * NIBBLES];

    private HuffmanDecoder() {}

    static {
        int[][] children = new int[NIBBLES * NIBBLES][2]; // 0: no child, positive: index of a node, negative: ~symbol
        int nodes = 1;
        int[] codes = HuffmanCode.codes();
        for (int symbol = 0; symbol < codes.length; symbol++) {
            int node = 0;
            for (int bit = HuffmanCode.LENGTHS[symbol] - 1; bit > 0; bit--) {
                int side = codes[symbol] >>> bit & 1;
                if (children[node][side] == 0) {
                    children[node][side] = nodes++;
                }
                node = children[node][side];
            }
            children[node][codes[symbol] & 1] = ~symbol;
        }
        STEPS = new int[nodes * NIBBLES];
        for (int state = 0; state < nodes; state++) {
            for (int nibble = 0; nibble < NIBBLES; nibble++) {
                STEPS[state * NIBBLES + nibble] = step(children, state, nibble);
            }
        }
        int node = 0;
        for (int ones = 0; ones < Byte.SIZE; ones++) {
            ENDS[node] = true;
            node = children[node][1];
        }
    }

    private static int step(int[][] children, int state, int nibble) {
        int node = state;
        int emitted = 0;
        for (int bit = 3; bit >= 0; bit--) {
            int next = children[node][nibble >>> bit & 1];
            if (next == 0) {
                return FAILS; // the EOS code, which must not occur
            }
            if (next < 0) {
                emitted = EMITS | ~next << SYMBOL_SHIFT;
                node = 0;
            } else {
                node = next;
            }
        }
        return emitted | node;
    }

    /** Decodes {@code source[from, to)} to offset 0 of {@code target}, which must be large enough. */
    static int decode(byte[] source, int from, int to, byte[] target) {
        int state = 0;
        int length = 0;
        for (int i = from; i < to; i++) {
            int b = source[i] & 0xff;
            int high = STEPS[state * NIBBLES + (b >>> 4)];
            if ((high & EMITS) != 0) {
                target[length++] = (byte) (high >>> SYMBOL_SHIFT);
            }
            int low = STEPS[(high & STATE_MASK) * NIBBLES + (b & 0xf)];
            if ((low & EMITS) != 0) {
                target[length++] = (byte) (low >>> SYMBOL_SHIFT);
            }
            if (((high | low) & FAILS) != 0) {
                return -1;
            }
            state = low & STATE_MASK;
        }
        return ENDS[state] ? length : -1;
    }
}
