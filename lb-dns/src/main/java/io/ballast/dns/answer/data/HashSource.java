package io.ballast.dns.answer.data;

import io.ballast.core.balance.Hash64;
import io.ballast.dns.dnssec.SetSigner;

/** Selects a source by the hash of the client's network. */
final class HashSource extends AnswerSource {

    private final AnswerSource[] slots;
    private final long salt;

    /**
     * @param slots the source of each slot of the hash space; the number of slots is a power of two, 2 or more
     * @param salt salt of the hash; not 0, because address hashing within a pool uses 0
     */
    HashSource(AnswerSource[] slots, long salt) {
        this.slots = slots;
        this.salt = salt;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new HashSource(signed(slots, signer, ttlSeconds), salt);
    }

    @Override
    public Answer select(QueryContext context) {
        return slots[slotOf(context.location().network(), salt, slots.length)].select(context);
    }

    static int slotOf(long network, long salt, int slots) {
        long hash = Hash64.mix(network ^ Hash64.mix(salt));
        return (int) (hash >>> (64 - Integer.numberOfTrailingZeros(slots)));
    }
}
