package io.ballast.dns.forward;

import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the EDNS options of a client's query that are forwarded to resolvers, see {@link
 * io.ballast.dns.config.forward.ForwardableOptions}.
 *
 * <p>Thread safety: immutable. Cost: one pass over the options of the query; allocates only if an option is selected.
 */
public final class OptionPolicy {

    /** Maximum size of the selected options of a query. */
    static final int MAX_BYTES = 512;

    private static final int HEADER_BYTES = 4;

    private final int[] codes;

    /** @param codes codes of the forwarded options */
    OptionPolicy(List<Integer> codes) {
        this.codes = codes.stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    /**
     * Returns the selected options of a query in wire format, in their order. Returns null if there are none, or if
     * they exceed {@value #MAX_BYTES} bytes, because resolvers could misinterpret a part of the options.
     */
    public byte @Nullable [] select(Query query) {
        byte[] message = query.message();
        Edns edns = query.edns();
        int bytes = 0;
        for (int at = edns.optionsStart(); at < edns.optionsEnd(); at = next(message, at)) {
            bytes += isSelected(message, at) ? next(message, at) - at : 0;
        }
        if (bytes == 0 || bytes > MAX_BYTES) {
            return null;
        }
        byte[] selected = new byte[bytes];
        int filled = 0;
        for (int at = edns.optionsStart(); at < edns.optionsEnd(); at = next(message, at)) {
            if (isSelected(message, at)) {
                int length = next(message, at) - at;
                System.arraycopy(message, at, selected, filled, length);
                filled += length;
            }
        }
        return selected;
    }

    private boolean isSelected(byte[] message, int at) {
        return Arrays.binarySearch(codes, Wire.u16(message, at)) >= 0;
    }

    /**
     * Returns the offset of the option after the option at {@code at}. {@link Edns} has verified the length of that
     * option.
     */
    private static int next(byte[] message, int at) {
        return at + HEADER_BYTES + Wire.u16(message, at + 2);
    }
}
