package io.ballast.dns.answer;

import io.ballast.core.geo.RegionTable;
import io.ballast.dns.dnssec.OnDemandCounters;
import io.ballast.dns.dnssec.OnDemandSigner;
import io.ballast.dns.wire.NameHash;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The table that queries are answered from now.
 *
 * <p>Thread safety: any thread may read it, which is one field read; one thread at a time publishes.
 */
public final class PublishedAnswers {

    private final NameHash hash;
    private final @Nullable SignerSource signers;
    private final @Nullable Supplier<RegionTable> regions;
    private final CountedNames counted;
    private volatile AnswerTable current;

    /** Makes a signer for one answering thread. */
    @FunctionalInterface
    public interface SignerSource {
        OnDemandSigner signer(OnDemandCounters counters);
    }

    /**
     * @param hash by which the names of this and of all later tables are looked up
     * @param signers null if no zone is signed
     * @param regions has the newest table of the clients' regions, by the ids that answers by region have; any thread may
     *     ask it, which costs a field read; null if no answer depends on regions
     */
    public PublishedAnswers(
            NameHash hash, AnswerTable first, @Nullable SignerSource signers, @Nullable Supplier<RegionTable> regions) {
        this(hash, first, signers, regions, CountedNames.none());
    }

    /**
     * Like the other.
     *
     * @param counted where queries are counted
     */
    public PublishedAnswers(
            NameHash hash,
            AnswerTable first,
            @Nullable SignerSource signers,
            @Nullable Supplier<RegionTable> regions,
            CountedNames counted) {
        this.counted = counted;
        this.hash = hash;
        this.signers = signers;
        this.regions = regions;
        this.current = first;
    }

    /** The table in force. */
    public AnswerTable current() {
        return current;
    }

    /** Puts a table in force. Queries that are being answered finish with the one they began with. */
    public void publish(AnswerTable next) {
        current = next;
    }

    /** A signer for the thread that calls; null if no zone is signed. */
    @Nullable OnDemandSigner signer(OnDemandCounters counters) {
        return signers == null ? null : signers.signer(counters);
    }

    /** The regions of clients, by the ids that answers by region have; null if none has. */
    @Nullable RegionTable regions() {
        return regions == null ? null : regions.get();
    }

    /** Where queries are counted by zone and service. */
    CountedNames counted() {
        return counted;
    }

    /** By which names are looked up. */
    public NameHash hash() {
        return hash;
    }
}
