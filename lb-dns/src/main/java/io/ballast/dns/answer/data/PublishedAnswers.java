package io.ballast.dns.answer.data;

import io.ballast.core.geo.RegionTable;
import io.ballast.dns.dnssec.OnDemandCounters;
import io.ballast.dns.dnssec.OnDemandSigner;
import io.ballast.dns.wire.NameHash;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current answer table.
 *
 * <p>Thread safety: may be read from any thread, at the cost of one field read. Only one thread at a time may
 * publish.
 */
public final class PublishedAnswers {

    private final NameHash hash;
    private final @Nullable SignerSource signers;
    private final @Nullable Supplier<RegionTable> regions;
    private final ZoneStatsSlots statsSlots;
    private volatile AnswerTable current;

    /** Creates a signer for one answering thread. */
    @FunctionalInterface
    public interface SignerSource {
        public OnDemandSigner signer(OnDemandCounters counters);
    }

    /**
     * @param hash hash of names in this and all later tables
     * @param signers source of per-thread signers; null if no zone is signed
     * @param regions supplier of the newest table of client regions; null if no answer depends on regions. The table
     *     must use the same region ids as the answers. Any thread may call the supplier; a call costs one field read
     */
    public PublishedAnswers(
            NameHash hash, AnswerTable first, @Nullable SignerSource signers, @Nullable Supplier<RegionTable> regions) {
        this(hash, first, signers, regions, ZoneStatsSlots.none());
    }

    /** @param counted the slots of the query counters for each zone and each service */
    public PublishedAnswers(
            NameHash hash,
            AnswerTable first,
            @Nullable SignerSource signers,
            @Nullable Supplier<RegionTable> regions,
            ZoneStatsSlots counted) {
        this.statsSlots = counted;
        this.hash = hash;
        this.signers = signers;
        this.regions = regions;
        this.current = first;
    }

    /** The current table. */
    public AnswerTable current() {
        return current;
    }

    /** Activates a table. Queries in progress finish with the table that they started with. */
    public void publish(AnswerTable next) {
        current = next;
    }

    /** A signer for the calling thread; null if no zone is signed. */
    public @Nullable OnDemandSigner signer(OnDemandCounters counters) {
        return signers == null ? null : signers.signer(counters);
    }

    /**
     * The table that maps client addresses to the region ids used in the answers; null if no answer depends on
     * regions.
     */
    @Nullable RegionTable regions() {
        return regions == null ? null : regions.get();
    }

    /** The slots of the query counters that count by zone and service. */
    public ZoneStatsSlots statsSlots() {
        return statsSlots;
    }

    /** The hash function for the names in these answers. */
    public NameHash hash() {
        return hash;
    }
}
