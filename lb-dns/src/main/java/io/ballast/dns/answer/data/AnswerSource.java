package io.ballast.dns.answer.data;

import io.ballast.core.balance.WeightedDraw;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.learn.NetworkIndex;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The source of the records for one name and type: an {@link Answer} for all clients, or a choice that depends on the
 * client.
 *
 * <p>Thread safety: immutable.
 */
public abstract class AnswerSource {

    AnswerSource() {}

    /**
     * Returns a source without records and with response code SERVFAIL, so that resolvers try the next server.
     */
    public static AnswerSource servfail() {
        return FixedAnswer.SERVFAIL;
    }

    /**
     * Returns a source that depends on the client's region.
     *
     * @param byRegion sources by region id
     * @param defaultRegion region of clients whose region is unknown
     */
    public static AnswerSource byRegion(List<AnswerSource> byRegion, int defaultRegion) {
        return new RegionSource(byRegion.toArray(AnswerSource[]::new), defaultRegion);
    }

    /**
     * Returns a source that draws one of {@code sources} by weight for every query. Each source has a weight of 1
     * or more.
     */
    public static AnswerSource weighted(List<AnswerSource> sources, int[] weights) {
        return new WeightedSource(sources.toArray(AnswerSource[]::new), WeightedDraw.of(weights));
    }

    /**
     * Returns a source that uses the sources in turn.
     *
     * @param cursor index of the thread's cursor that holds the position; must not be shared with other sources
     */
    public static AnswerSource roundRobin(List<AnswerSource> sources, int cursor) {
        return new RoundRobinSource(sources.toArray(AnswerSource[]::new), cursor);
    }

    /**
     * Returns a source that hashes the client's network to a slot.
     *
     * @param slots the source of each slot; the number of slots is a power of two, 2 or more
     * @param salt salt of the hash, 1 or more; must differ from the salt of nested sources, so that their choices are
     *     independent
     */
    public static AnswerSource hashed(List<AnswerSource> slots, int salt) {
        return new HashSource(slots.toArray(AnswerSource[]::new), salt);
    }

    /**
     * Returns this source with signatures; answers that are already signed stay unchanged.
     *
     * @param signer signer for the owner name
     * @param ttlSeconds highest TTL of the served records
     */
    abstract AnswerSource signed(SetSigner signer, int ttlSeconds);

    /**
     * Returns the slot of a client's network in a source that {@link #hashed} returned; {@code slots} is the number of
     * slots.
     */
    public static int slot(long network, int salt, int slots) {
        return HashSource.slotOf(network, salt, slots);
    }

    /**
     * Returns a source that delegates to the best source for the client's network.
     *
     * @param best index of the best source in {@code sources} for each position of a network in {@code networks}
     * @param sources the sources, at most 128; the first one serves unknown networks
     */
    public static AnswerSource byLatency(NetworkIndex networks, byte[] best, List<AnswerSource> sources) {
        return new LatencySource(networks, best, sources.toArray(AnswerSource[]::new));
    }

    /** Signs several sources; a source that occurs more than once is signed once. */
    static AnswerSource[] signed(AnswerSource[] sources, SetSigner signer, int ttlSeconds) {
        IdentityHashMap<AnswerSource, AnswerSource> signed = new IdentityHashMap<>();
        AnswerSource[] all = sources.clone();
        Arrays.setAll(all, i -> signed.computeIfAbsent(sources[i], each -> each.signed(signer, ttlSeconds)));
        return all;
    }

    /** The answer for the current query. */
    public abstract Answer select(QueryContext context);
}
