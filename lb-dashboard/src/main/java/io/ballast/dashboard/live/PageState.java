package io.ballast.dashboard.live;

/**
 * The state of a page after the messages sent to it. Pages in the same state get the same message.
 *
 * @param version {@link LiveStats} version of the rows and the health that the page has received
 * @param parts version of all other parts that the page has received, set by the last tick; 0 after a
 *     snapshot
 * @param lastEventId id of the newest event that was sent, or {@link #ALL_EVENTS}
 */
public record PageState(long version, long parts, long lastEventId) {

    /** The page has received every event. */
    public static final long ALL_EVENTS = Long.MAX_VALUE;

    /** Returns a copy for a page that has received every event. */
    public PageState withAllEvents() {
        return new PageState(version, parts, ALL_EVENTS);
    }
}
