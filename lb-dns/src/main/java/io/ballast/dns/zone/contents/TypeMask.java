package io.ballast.dns.zone.contents;

/**
 * The types of a name's records as bits of a long: one bit for each type up to 63, and {@link #OTHERS} for
 * all higher types. Any thread may call.
 */
public final class TypeMask {

    /** Types from 64 on; there is no type 0. */
    public static final long OTHERS = 1;

    private TypeMask() {}

    /** The bit of a type. */
    public static long of(int type) {
        return type < Long.SIZE ? 1L << type : OTHERS;
    }

    /** The bits of several types. */
    public static long of(int... types) {
        long mask = 0;
        for (int type : types) {
            mask |= of(type);
        }
        return mask;
    }
}
