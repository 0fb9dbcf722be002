package io.ballast.dashboard.live;

/**
 * Identifies the data that a page has received. Pages with equal states receive the same next message.
 *
 * @param version the {@link LiveStats} version of the backend rows and the health last sent to the page
 * @param parts the version of the other parts of the page, as sent with the last periodic update; 0 after a
 *     full snapshot
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
