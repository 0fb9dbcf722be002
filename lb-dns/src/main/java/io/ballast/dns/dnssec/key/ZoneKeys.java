package io.ballast.dns.dnssec.key;

import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The keys of a zone at one moment.
 *
 * @param visible those that the key set has, oldest first
 * @param active the one among them that signs
 */
public record ZoneKeys(List<SigningKey> visible, SigningKey active) {

    public ZoneKeys {
        visible = List.copyOf(visible);
    }

    /**
     * The keys at a moment.
     *
     * @throws KeyFileException if no key signs, or they are not all of one algorithm
     */
    public static ZoneKeys at(Instant now, KeyDirectory directory) throws KeyFileException {
        return of(directory.load(), now, directory);
    }

    /**
     * Like {@link #at}, after making the zone's first key if it has none.
     *
     * @throws IOException if the key cannot be written; {@link KeyFileException} as in {@link #at}
     */
    public static ZoneKeys firstOrAt(Instant now, KeyDirectory directory, KeyAlgorithm algorithm) throws IOException {
        List<ManagedKey> keys = directory.load();
        if (keys.isEmpty()) {
            keys = directory.locked(() -> {
                List<ManagedKey> present = directory.load();
                return present.isEmpty() ? List.of(directory.create(algorithm, KeyTimes.activeFrom(now))) : present;
            });
        }
        return usable(keys, now, directory, algorithm);
    }

    /**
     * Says whether the keys of a zone can be used. Changes nothing: a zone may have none yet.
     *
     * @throws KeyFileException if a key cannot be read, or they are not fit for signing by the algorithm
     */
    public static void check(Instant now, KeyDirectory directory, KeyAlgorithm algorithm) throws KeyFileException {
        List<ManagedKey> keys = directory.load();
        if (!keys.isEmpty()) {
            usable(keys, now, directory, algorithm);
        }
    }

    private static ZoneKeys usable(List<ManagedKey> keys, Instant now, KeyDirectory directory, KeyAlgorithm algorithm)
            throws KeyFileException {
        ZoneKeys zone = of(keys, now, directory);
        if (zone.active.algorithm() != algorithm) {
            throw new KeyFileException(
                    directory.path(),
                    "algorithm of the keys: " + zone.active.algorithm() + ", of the configuration: " + algorithm
                            + " (expected: the same; a zone that is signed cannot change it)");
        }
        return zone;
    }

    static ZoneKeys of(List<ManagedKey> keys, Instant clock, KeyDirectory directory) throws KeyFileException {
        Instant now = plausible(keys, clock);
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
                                + ", as the active key has it)");
            }
        }
        return new ZoneKeys(visible.stream().map(ManagedKey::key).toList(), signing);
    }

    /** A clock that is behind all keys is wrong: they are used as they were when the last of them changed. */
    private static Instant plausible(List<ManagedKey> keys, Instant clock) {
        boolean behind = keys.stream().allMatch(key -> key.state(clock) == KeyState.FUTURE);
        return behind
                ? keys.stream()
                        .map(key -> key.times().latest())
                        .max(Comparator.naturalOrder())
                        .orElse(clock)
                : clock;
    }

    /**
     * The active key; of several, which is what a rollover that was cut short leaves, the one that became active last.
     */
    static Optional<ManagedKey> signer(List<ManagedKey> keys, Instant now) {
        return keys.stream()
                .filter(key -> key.state(now) == KeyState.ACTIVE)
                .max(Comparator.comparing(key -> key.times().activeSince()));
    }

    /** Whether the same keys are in use, each for the same. */
    public boolean isSame(ZoneKeys other) {
        return active.tag() == other.active.tag()
                && visible.stream()
                        .map(SigningKey::tag)
                        .toList()
                        .equals(other.visible.stream().map(SigningKey::tag).toList());
    }
}
