package io.ballast.core.balance;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash function. The hash is the same in all releases and on all machines, so that all nodes of a cluster
 * assign clients in the same way. Not resistant to attackers who choose the input.
 */
public final class Hash64 {

    /** 2^64 divided by the golden ratio. Adding it repeatedly visits every 64-bit number before one repeats. */
    static final long GOLDEN_STEP = 0x9E3779B97F4A7C15L;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Hash64() {}

    /**
     * Mixes a number so that each input bit changes each output bit with a probability of one half. A bijection:
     * the finaliser of MurmurHash3 with the constants of <a
     * href="https://zimbry.blogspot.com/2011/09/better-bit-mixing-improving-on.html">Stafford's variant 13</a>.
     */
    public static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** Mixes two numbers, in this order. */
    static long mix(long first, long second) {
        return mix(mix(first + GOLDEN_STEP) + second);
    }

    /** Hashes {@code bytes[from, to)}. Cost: one step for each eight bytes. */
    public static long of(byte[] bytes, int from, int to) {
        long hash = mix(to - from + GOLDEN_STEP);
        int at = from;
        for (; at + 8 <= to; at += 8) {
            hash = mix(hash + (long) LONG.get(bytes, at));
        }
        long rest = 0;
        for (; at < to; at++) {
            rest = (rest << 8) | (bytes[at] & 0xFF);
        }
        return mix(hash + rest);
    }

    /** Hashes a text; the hash is case-sensitive. */
    static long of(CharSequence text) {
        long hash = mix(text.length() + GOLDEN_STEP);
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash + text.charAt(i));
        }
        return hash;
    }
}
