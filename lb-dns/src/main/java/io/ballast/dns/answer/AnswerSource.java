package io.ballast.dns.answer;

import io.ballast.core.balance.WeightedDraw;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.learn.KnownNetworks;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Where the records for one name and type come from: an {@link Answer} that holds for all clients, or a choice among
 * several by what is known of the client.
 *
 * <p>Thread safety: immutable.
 */
public abstract class AnswerSource {

    AnswerSource() {}

    /** No records, and the response code SERVFAIL: resolvers try the next server. */
    public static AnswerSource servfail() {
        return FixedAnswer.SERVFAIL;
    }

    /**
     * Another source for each region of clients.
     *
     * @param byRegion by the region's id
     * @param defaultRegion the region of clients of which nothing is known
     */
    public static AnswerSource byRegion(List<AnswerSource> byRegion, int defaultRegion) {
        return new RegionSource(byRegion.toArray(AnswerSource[]::new), defaultRegion);
    }

    /** One of the sources, drawn by weight for every query; {@code weights} has one for each, 1 or more. */
    public static AnswerSource weighted(List<AnswerSource> sources, int[] weights) {
        return new WeightedSource(sources.toArray(AnswerSource[]::new), WeightedDraw.of(weights));
    }

    /**
     * The sources in turn.
     *
     * @param cursor which of a thread's cursors the turn is kept in; nothing else may use it
     */
    public static AnswerSource roundRobin(List<AnswerSource> sources, int cursor) {
        return new RoundRobinSource(sources.toArray(AnswerSource[]::new), cursor);
    }

    /**
     * The source of the slot that the client's network is hashed to.
     *
     * @param slots a power of two of them, 2 or more
     * @param salt differs from that of other sources inside these, so that they do not choose alike; 1 or more
     */
    public static AnswerSource hashed(List<AnswerSource> slots, int salt) {
        return new HashSource(slots.toArray(AnswerSource[]::new), salt);
    }

    /**
     * These records with signatures; what was signed when it was made stays as it is.
     *
     * @param signer for their owner
     * @param ttlSeconds the longest TTL with which they are ever served
     */
    abstract AnswerSource signed(SetSigner signer, int ttlSeconds);

    /** Which slot of {@link #hashed} a client's network belongs to; {@code slots} is their number. */
    public static int slot(long network, int salt, int slots) {
        return HashSource.slotOf(network, salt, slots);
    }

    /**
     * The source that is best for the client's network.
     *
     * @param best by the place of a network, which of {@code sources} is best for it
     * @param sources as the first one, that of networks of which nothing is known; at most 128
     */
    public static AnswerSource learned(KnownNetworks networks, byte[] best, List<AnswerSource> sources) {
        return new LearnedSource(networks, best, sources.toArray(AnswerSource[]::new));
    }

    /** Signs several, each once however often it is among them. */
    static AnswerSource[] signed(AnswerSource[] sources, SetSigner signer, int ttlSeconds) {
        IdentityHashMap<AnswerSource, AnswerSource> signed = new IdentityHashMap<>();
        AnswerSource[] all = sources.clone();
        Arrays.setAll(all, i -> signed.computeIfAbsent(sources[i], each -> each.signed(signer, ttlSeconds)));
        return all;
    }

    /** The answer for the present query. */
    abstract Answer select(QueryContext context);
}
