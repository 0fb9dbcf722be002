package io.ballast.dns.dnssec.key;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The timing metadata of a key, as in BIND's key files; a time is null until it is decided.
 *
 * <p>A key without activation and publication times, as in old files, is active.
 *
 * @param created time of creation
 * @param publish start of publication in the DNSKEY set
 * @param activate start of signing
 * @param inactive end of signing
 * @param delete removal from the DNSKEY set
 * @param dsPublish time at which an operator reported that the parent zone has the DS record
 */
public record KeyTimes(
        @Nullable Instant created,
        @Nullable Instant publish,
        @Nullable Instant activate,
        @Nullable Instant inactive,
        @Nullable Instant delete,
        @Nullable Instant dsPublish) {

    /** Returns the times of a key that signs as soon as it exists. */
    public static KeyTimes activeFrom(Instant now) {
        return new KeyTimes(now, now, now, null, null, null);
    }

    /** Returns the times of a key that is published now and will sign later. */
    static KeyTimes publishedFrom(Instant now) {
        return new KeyTimes(now, now, null, null, null, null);
    }

    /** Returns the state of the key at the given time. */
    public KeyState stateAt(Instant now) {
        if (isPast(delete, now)) {
            return KeyState.REMOVED;
        }
        if (isPast(inactive, now)) {
            return KeyState.RETIRED;
        }
        if (isPast(activate, now) || (activate == null && publish == null)) {
            return KeyState.ACTIVE;
        }
        return isPast(publish, now) ? KeyState.PUBLISHED : KeyState.FUTURE;
    }

    private static boolean isPast(@Nullable Instant time, Instant now) {
        return time != null && !time.isAfter(now);
    }

    /** The start of signing; {@link Instant#MIN} if it is not known. */
    Instant activeSince() {
        return activate == null ? Instant.MIN : activate;
    }

    /** The latest of all times; {@link Instant#MIN} if there are none. */
    Instant latest() {
        Instant lastChange = later(created, later(publish, later(activate, later(inactive, Instant.MIN))));
        return later(delete, later(dsPublish, lastChange));
    }

    private static Instant later(@Nullable Instant one, Instant other) {
        return one != null && one.isAfter(other) ? one : other;
    }

    KeyTimes activated(Instant now) {
        return new KeyTimes(created, publish, now, inactive, delete, dsPublish);
    }

    KeyTimes retired(Instant now) {
        return new KeyTimes(created, publish, activate, now, delete, dsPublish);
    }

    KeyTimes removed(Instant now) {
        return new KeyTimes(created, publish, activate, inactive, now, dsPublish);
    }

    KeyTimes dsPublished(Instant now) {
        return new KeyTimes(created, publish, activate, inactive, delete, now);
    }
}
