package io.ballast.dashboard.live;

/**
 * The state of a page after the messages that it was sent. Pages in the same state get the same message.
 *
 * @param version of {@link LiveStats}, up to which it knows rows and health
 * @param parts the same for what else changes: the version of the last tick, 0 after a snapshot
 * @param event the id of the newest event that it was sent, or {@link #EVERY_EVENT}
 */
public record Known(long version, long parts, long event) {

    /** The page missed no event. */
    static final long EVERY_EVENT = Long.MAX_VALUE;

    /** The same for a page that missed no event. */
    Known withEveryEvent() {
        return new Known(version, parts, EVERY_EVENT);
    }
}
