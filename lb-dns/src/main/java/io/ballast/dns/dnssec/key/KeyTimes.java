package io.ballast.dns.dnssec.key;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a key does what, in the terms of BIND's key files; absent is what has not been decided.
 *
 * <p>A key without any of these times, as old files have none, is active.
 *
 * @param created when it was made
 * @param publish from when the key set has it
 * @param activate from when it signs
 * @param inactive from when it signs no more
 * @param delete from when the key set has it no more
 * @param dsPublish from when the parent zone was said to have its DS record
 */
public record KeyTimes(
        @Nullable Instant created,
        @Nullable Instant publish,
        @Nullable Instant activate,
        @Nullable Instant inactive,
        @Nullable Instant delete,
        @Nullable Instant dsPublish) {

    /** The times of a key that signs from its first moment. */
    public static KeyTimes activeFrom(Instant now) {
        return new KeyTimes(now, now, now, null, null, null);
    }

    /** The times of a key that caches shall learn of before it signs. */
    static KeyTimes publishedFrom(Instant now) {
        return new KeyTimes(now, now, null, null, null, null);
    }

    /** What the key is used for at a moment. */
    public KeyState at(Instant now) {
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

    /** Since when it signs, if it does; the beginning of time if that is not known. */
    Instant activeSince() {
        return activate == null ? Instant.MIN : activate;
    }

    /** The last moment at which something happens to the key; the beginning of time if nothing does. */
    Instant latest() {
        Instant life = later(created, later(publish, later(activate, later(inactive, Instant.MIN))));
        return later(delete, later(dsPublish, life));
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
