package io.ballast.cluster.fact;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pending change of this node. Its value may be replaced while a submission is in progress. The outcome of a
 * submission may remain unknown, so submitted values are stored, to distinguish them from changes of other nodes.
 * Confined to the fact thread.
 */
final class OwnChange {

    private final String key;
    private final Instant since;
    private final List<Optional<String>> submitted = new ArrayList<>();
    private @Nullable String value;
    private long base;
    private boolean inFlight;

    OwnChange(String key, @Nullable String value, long base, Instant since) {
        this.key = key;
        this.value = value;
        this.base = base;
        this.since = since;
    }

    String key() {
        return key;
    }

    @Nullable String value() {
        return value;
    }

    void value(@Nullable String next) {
        value = next;
    }

    /** Returns the command to submit; null if a command is in flight. */
    @Nullable FactCommand submit() {
        if (inFlight) {
            return null;
        }
        inFlight = true;
        if (!submitted.contains(Optional.ofNullable(value))) {
            submitted.add(Optional.ofNullable(value));
        }
        return new FactCommand(key, value, base);
    }

    /** Called when the submission has ended, whether it succeeded or failed. */
    void answered() {
        inFlight = false;
    }

    /** The relation of this change to a committed change. */
    enum Match {
        /** The committed value is the one on which this change is based. */
        BASE,
        /** The newest value of this change is committed. */
        SETTLED,
        /** An earlier value of this change is committed; the newest value must still be submitted. */
        EARLIER,
        /** Another node has made a different change. */
        FOREIGN
    }

    /** Compares this change with a committed change of the same fact. */
    Match committed(@Nullable Fact fact) {
        Optional<String> now = Optional.ofNullable(fact).map(Fact::value);
        long version = fact == null ? Fact.ABSENT : fact.version();
        if (now.equals(Optional.ofNullable(value))) {
            return Match.SETTLED;
        }
        if (version == base) {
            return Match.BASE;
        }
        if (submitted.contains(now)) {
            submitted.clear();
            base = version;
            return Match.EARLIER;
        }
        return Match.FOREIGN;
    }

    PendingChange view() {
        return new PendingChange(key, Optional.ofNullable(value), base, since);
    }
}
