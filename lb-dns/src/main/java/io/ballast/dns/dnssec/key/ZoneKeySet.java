package io.ballast.dns.dnssec.key;

import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The keys of a zone at one moment.
 *
 * @param visible the keys in the DNSKEY set, oldest first
 * @param active the key in {@code visible} that signs
 * @param isWithheld whether queries for the zone are not answered. This is the case while the node waits for the keys
 *     of its cluster, because resolvers could not validate its signatures
 */
public record ZoneKeySet(List<SigningKey> visible, SigningKey active, boolean isWithheld) {

    public ZoneKeySet {
        visible = List.copyOf(visible);
    }

    public ZoneKeySet(List<SigningKey> visible, SigningKey active) {
        this(visible, active, /* isWithheld= */ false);
    }

    /** Returns a key set in memory, for a zone whose keys the cluster has not sent yet. */
    private static ZoneKeySet inMemory(KeyAlgorithm algorithm, boolean isWithheld) {
        SigningKey key = SigningKey.generate(algorithm);
        return new ZoneKeySet(List.of(key), key, isWithheld);
    }

    /**
     * Like {@link #loadOrCreate}, but writes no key: without key files, the result is a key in memory.
     *
     * @param withholds whether queries for a zone without key files are not answered
     */
    static ZoneKeySet loadShared(Instant now, KeyDirectory directory, KeyAlgorithm algorithm, boolean withholds)
            throws IOException {
        PrivateFiles.createDirectory(directory.path());
        List<ManagedKey> keys = directory.loadBetweenChanges();
        return keys.isEmpty() ? inMemory(algorithm, withholds) : usable(keys, now, directory, algorithm);
    }

    /**
     * Returns the key set at the given time.
     *
     * @throws KeyFileException if no key is active, or the keys have different algorithms
     */
    public static ZoneKeySet loadAt(Instant now, KeyDirectory directory) throws KeyFileException {
        return of(directory.load(), now, directory);
    }

    /**
     * Like {@link #loadAt}, but first generates a key if the zone has none.
     *
     * @throws IOException if the key cannot be written; a {@link KeyFileException} under the same conditions as in
     *     {@link #loadAt}
     */
    public static ZoneKeySet loadOrCreate(Instant now, KeyDirectory directory, KeyAlgorithm algorithm)
            throws IOException {
        List<ManagedKey> keys = directory.load();
        if (keys.isEmpty()) {
            keys = directory.changeExclusively(() -> {
                List<ManagedKey> present = directory.load();
                return present.isEmpty() ? List.of(directory.create(algorithm, KeyTimes.activeFrom(now))) : present;
            });
        }
        return usable(keys, now, directory, algorithm);
    }

    /**
     * Checks whether the keys of a zone are usable. Changes nothing; a zone without keys is valid.
     *
     * @throws KeyFileException if a key cannot be read, or a key does not match the algorithm
     */
    public static void check(Instant now, KeyDirectory directory, KeyAlgorithm algorithm) throws KeyFileException {
        List<ManagedKey> keys = directory.load();
        if (!keys.isEmpty()) {
            usable(keys, now, directory, algorithm);
        }
    }

    private static ZoneKeySet usable(List<ManagedKey> keys, Instant now, KeyDirectory directory, KeyAlgorithm algorithm)
            throws KeyFileException {
        ZoneKeySet zone = of(keys, now, directory);
        if (zone.active.algorithm() != algorithm) {
            throw new KeyFileException(
                    directory.path(),
                    "algorithm of the keys: " + zone.active.algorithm() + ", algorithm of the configuration: "
                            + algorithm + " (expected: the same; the algorithm of a signed zone cannot be changed)");
        }
        return zone;
    }

    static ZoneKeySet of(List<ManagedKey> keys, Instant clock, KeyDirectory directory) throws KeyFileException {
        Instant now = correctClock(keys, clock);
        List<ManagedKey> visible =
                keys.stream().filter(key -> key.state(now).isVisible()).toList();
        SigningKey signing = signer(visible, now)
                .orElseThrow(() -> new KeyFileException(
                        directory.path(), "none of " + keys.size() + " keys is active (expected: one)"))
                .key();
        for (ManagedKey key : visible) {
            if (key.key().algorithm() != signing.algorithm()) {
                throw new KeyFileException(
                        key.file(),
                        "Algorithm: " + key.key().algorithm() + " (expected: " + signing.algorithm()
                                + ", as for the active key)");
            }
        }
        return new ZoneKeySet(visible.stream().map(ManagedKey::key).toList(), signing);
    }

    /**
     * Corrects a clock that is behind: if the start times of all keys are in the future, returns the time of the last
     * key change instead.
     */
    private static Instant correctClock(List<ManagedKey> keys, Instant clock) {
        boolean behind = keys.stream().allMatch(key -> key.state(clock) == KeyState.FUTURE);
        return behind
                ? keys.stream()
                        .map(key -> key.times().latest())
                        .max(Comparator.naturalOrder())
                        .orElse(clock)
                : clock;
    }

    /**
     * Returns the active key. If an interrupted rollover left several active keys, returns the one that was
     * activated last.
     */
    static Optional<ManagedKey> signer(List<ManagedKey> keys, Instant now) {
        return keys.stream()
                .filter(key -> key.state(now) == KeyState.ACTIVE)
                .max(Comparator.comparing(key -> key.times().activeSince()));
    }

    /** Returns whether both sets have the same keys and the same active key. */
    public boolean isSame(ZoneKeySet other) {
        return isWithheld == other.isWithheld
                && active.tag() == other.active.tag()
                && visible.stream()
                        .map(SigningKey::tag)
                        .toList()
                        .equals(other.visible.stream().map(SigningKey::tag).toList());
    }
}
