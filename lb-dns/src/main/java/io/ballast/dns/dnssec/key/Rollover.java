package io.ballast.dns.dnssec.key;

import io.ballast.core.DurationText;
import io.ballast.dns.config.zone.DnssecConfig;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rolls a zone over to a new combined signing key, so that the zone can be validated at any time. The new key
 * is published before it signs. During the rollover, both keys have DS records in the parent zone (<a
 * href="https://datatracker.ietf.org/doc/html/rfc6781#section-4.1.3">RFC 6781 section 4.1.3</a>).
 *
 * <pre>
 *   key set     old          old new        old new        old new       new
 *   signs       old          old            old            new           new
 *   step             start        DS seen        activate       remove
 *   after            any time     at once        parent_ds_ttl  max_ttl
 *                                                and key_ttl    and key_ttl
 * </pre>
 *
 * <p>Each step waits until all servers have applied the previous step, and until older data has expired from
 * caches. The steps only change key files; a running server detects these changes. Thread safety: may run while
 * a server uses the key files; concurrent rollovers are serialized.
 */
public final class Rollover {

    private final KeyDirectory directory;
    private final DnssecConfig config;
    private final Clock clock;
    private final Duration delay;

    public Rollover(KeyDirectory directory, DnssecConfig config, Clock clock) {
        this(directory, config, clock, Duration.ZERO);
    }

    /**
     * @param delay the time after which all servers of the zone have applied a step; it is added to the wait of each
     *     step
     */
    public Rollover(KeyDirectory directory, DnssecConfig config, Clock clock, Duration delay) {
        this.directory = directory;
        this.config = config;
        this.clock = clock;
        this.delay = delay;
    }

    /** The next step of a rollover. */
    public enum Step {
        /** No rollover is in progress; {@link #start} begins one. */
        START,
        /** The parent zone must publish the new key's DS record; {@link #recordDsPublished} records this. */
        DS,
        /** The new key may start to sign; {@link #advance} activates it. */
        ACTIVATE,
        /** The old key may be removed; {@link #advance} removes it. */
        REMOVE
    }

    /**
     * @param key key that the step changes; null for {@link Step#START}
     * @param from the earliest time at which the step is safe
     */
    public record Next(Step step, @Nullable ManagedKey key, Instant from) {

        /** The remaining time until the step is safe; zero if it is safe now. */
        public Duration remainingWait(Instant now) {
            return now.isBefore(from) ? Duration.between(now, from) : Duration.ZERO;
        }
    }

    /** The keys, oldest first. */
    public List<ManagedKey> keys() throws KeyFileException {
        return directory.load();
    }

    /** Returns the next step of the rollover. */
    public Next next() throws KeyFileException {
        List<ManagedKey> keys = directory.load();
        Instant now = now();
        ZoneKeySet.of(keys, now, directory);
        ManagedKey signer = ZoneKeySet.signer(keys, now)
                .orElseThrow(() -> new KeyFileException(
                        directory.path(), "no key is active at " + now + "; check the system clock"));
        Optional<ManagedKey> old = keys.stream()
                .filter(key -> !key.equals(signer))
                .filter(key -> key.state(now) == KeyState.RETIRED || key.state(now) == KeyState.ACTIVE)
                .findFirst();
        if (old.isPresent()) {
            Instant inactive = old.get().times().inactive();
            Instant since = inactive == null ? signer.times().activate() : inactive;
            return new Next(
                    Step.REMOVE,
                    old.get(),
                    later(after(since, delay.plus(config.maxTtl())), after(since, delay.plus(config.keyTtl()))));
        }
        Optional<ManagedKey> published = first(keys, KeyState.PUBLISHED);
        if (published.isEmpty()) {
            return new Next(Step.START, null, now);
        }
        KeyTimes times = published.get().times();
        return times.dsPublish() == null
                ? new Next(Step.DS, published.get(), now)
                : new Next(
                        Step.ACTIVATE,
                        published.get(),
                        later(
                                after(times.dsPublish(), config.parentDsTtl()),
                                after(times.publish(), delay.plus(config.keyTtl()))));
    }

    private static Instant after(@Nullable Instant since, Duration wait) {
        return since == null ? Instant.MIN : since.plus(wait);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private Optional<ManagedKey> first(List<ManagedKey> keys, KeyState state) {
        Instant now = now();
        return keys.stream().filter(key -> key.state(now) == state).findFirst();
    }

    /**
     * Generates and publishes the next key.
     *
     * @throws RolloverException if a rollover is in progress
     */
    public ManagedKey start() throws IOException {
        return directory.changeExclusively(() -> {
            Next next = next();
            require(next, Step.START, "a rollover is already in progress");
            KeyAlgorithm algorithm = KeyAlgorithm.of(config.algorithm());
            SigningKey active = ZoneKeySet.loadAt(now(), directory).active();
            if (active.algorithm() != algorithm) {
                throw new RolloverException(
                        "algorithm: " + config.algorithm().label() + " (expected: that of the active key, "
                                + active.algorithm() + "; changing it is not supported)");
            }
            return directory.create(algorithm, KeyTimes.publishedFrom(now()));
        });
    }

    /**
     * Records that all servers of the parent zone have the new key's DS record.
     *
     * @throws RolloverException if this is not the next step
     */
    public void recordDsPublished() throws IOException {
        change(Step.DS, /* force= */ false, KeyTimes::dsPublished);
    }

    /**
     * Takes the next step: activates the new key, or removes the old key.
     *
     * @param force whether to skip the wait until caches have expired
     * @return the step that was taken
     * @throws RolloverException if it is too early for the step, or the DS record must be published first
     */
    public Step advance(boolean force) throws IOException {
        Next next = next();
        if (next.step() == Step.REMOVE) {
            change(Step.REMOVE, force, KeyTimes::removed);
            return Step.REMOVE;
        }
        activate(force);
        return Step.ACTIVATE;
    }

    private void activate(boolean force) throws IOException {
        directory.changeExclusively(() -> {
            Next next = next();
            ManagedKey key = requireAllowed(next, Step.ACTIVATE, force);
            ManagedKey old = ZoneKeySet.signer(directory.load(), now()).orElseThrow();
            // The order matters: if only the first update succeeds, the new key signs and the old key counts as
            // retired.
            directory.update(key, key.times().activated(now()));
            directory.update(old, old.times().retired(now()));
            return key;
        });
    }

    private interface Decision {
        KeyTimes apply(KeyTimes times, Instant now);
    }

    private void change(Step step, boolean force, Decision decision) throws IOException {
        directory.changeExclusively(() -> {
            ManagedKey key = requireAllowed(next(), step, force);
            directory.update(key, decision.apply(key.times(), now()));
            return key;
        });
    }

    private ManagedKey requireAllowed(Next next, Step step, boolean force) throws RolloverException {
        ManagedKey key = require(next, step, "this is not the next step of the rollover");
        if (key == null) {
            throw new RolloverException("no rollover is in progress (expected: start one first)");
        }
        Duration wait = next.remainingWait(now());
        if (!wait.isZero() && !force) {
            throw new RolloverException("too early: caches may still have the previous data until " + next.from()
                    + " (wait "
                    + DurationText.of(wait.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1)) + ")");
        }
        return key;
    }

    private static @Nullable ManagedKey require(Next next, Step step, String problem) throws RolloverException {
        if (next.step() != step) {
            throw new RolloverException(problem + "; next: " + next.step());
        }
        return next.key();
    }

    /** Returns the current time in whole seconds, the precision of key files. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
