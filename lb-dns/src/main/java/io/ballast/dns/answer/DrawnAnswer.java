package io.ballast.dns.answer;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Picker;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedSet;
import org.jspecify.annotations.Nullable;

/**
 * Addresses drawn by a picker, each at most once in an answer. An answer that has room for all of them begins at the one
 * that was drawn. So does one with room for more than {@value #MOST_DRAWS}, since drawing takes the longer the more were
 * drawn, and one with room for some that is to be signed: there would be too many sets to sign if each address was drawn.
 */
final class DrawnAnswer extends Answer {

    private static final int MOST_DRAWS = 8;

    private final AddressRecords ring;
    private final Picker picker;
    private final BackendIndex index;

    /** @param index tells for each backend that the picker knows which of the records is its address */
    DrawnAnswer(AddressRecords ring, int draws, Picker picker, BackendIndex index, SignedSet... signatures) {
        super(draws, draws * ring.recordBytes(), signatures);
        this.ring = ring;
        this.picker = picker;
        this.index = index;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new DrawnAnswer(ring, records(), picker, index, ring.signWindows(records(), signer, ttlSeconds));
    }

    @Override
    int write(byte[] out, int at, int owner, int apexPointer, QueryContext context) {
        context.includeAll();
        if (records() == ring.count() || records() > MOST_DRAWS || (isSigned() && context.isDnssecOk())) {
            int first = draw(context);
            ring.copy(first, records(), out, at, owner);
            return ring.window(first, records());
        }
        for (int i = 0; i < records(); i++) {
            int drawn = draw(context);
            ring.copy(drawn, 1, out, at + i * ring.recordBytes(), owner);
            context.exclude(index.backend(drawn));
        }
        return 0;
    }

    /** The picker refuses backends that are full. When it refuses all, any that this answer does not have yet will do. */
    private int draw(QueryContext context) {
        @Nullable Backend picked = picker.pick(context);
        if (picked != null) {
            return index.of(picked);
        }
        int any = context.random(ring.count());
        while (context.isExcluded(index.backend(any))) {
            any = any + 1 == ring.count() ? 0 : any + 1;
        }
        return any;
    }
}
