package io.ballast.dns.zone.contents;

/**
 * The types of a name's records as bits of a long: one bit for each type up to 63, and {@link #OTHERS} for
 * all higher types. Any thread may call any method.
 */
public final class TypeMask {

    /** The bit for all types from 64 on. It is the bit of type 0, which does not exist. */
    public static final long OTHERS = 1;

    private TypeMask() {}

    /** Returns the bit of a record type; all types from 64 on share {@link #OTHERS}. */
    public static long of(int type) {
        return type < Long.SIZE ? 1L << type : OTHERS;
    }

    /** Returns the combined bits of several record types. */
    public static long of(int... types) {
        long mask = 0;
        for (int type : types) {
            mask |= of(type);
        }
        return mask;
    }
}
