package io.ballast.dns.answer.data;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Picker;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRrset;
import org.jspecify.annotations.Nullable;

/**
 * An answer with distinct addresses drawn by a picker. In three cases it has consecutive addresses, starting at a drawn
 * address: if all addresses fit, if the answer needs more than {@value #MAX_DRAWS} draws, or if it is signed. More
 * draws would take too long, and independent draws would give too many different record sets to sign.
 */
final class DrawnAnswer extends Answer {

    private static final int MAX_DRAWS = 8;

    private final AddressRecords ring;
    private final Picker picker;
    private final BackendIndex index;

    /** @param index position of each backend's address in the records */
    DrawnAnswer(AddressRecords ring, int draws, Picker picker, BackendIndex index, SignedRrset... signatures) {
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
    public int write(byte[] out, int at, int owner, int apexPointer, QueryContext context) {
        context.includeAll();
        if (records() == ring.count() || records() > MAX_DRAWS || (isSigned() && context.isDnssecOk())) {
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

    /**
     * Selects an address with the picker, which skips full backends. If all backends are full, selects a random
     * address that is not in the answer yet.
     */
    private int draw(QueryContext context) {
        @Nullable Backend picked = picker.pick(context);
        if (picked != null) {
            return index.positionOf(picked);
        }
        int any = context.random(ring.count());
        while (context.isExcluded(index.backend(any))) {
            any = any + 1 == ring.count() ? 0 : any + 1;
        }
        return any;
    }
}
