package io.ballast.dns.transfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * The notifications of one server. At most {@value #MAX_OPEN} zones are notified at a time, each with its own
 * socket; the other notifications wait. An unreachable server delays only its own notifications.
 *
 * <p>Thread safety: confined to the notifier's thread. Memory: one notification for each zone.
 */
final class ServerNotices {

    static final int MAX_OPEN = 64;

    private final Map<Name, NotifyMessage> openNotices = new HashMap<>();
    private final Map<Name, NotifyMessage> queuedNotices = new LinkedHashMap<>();

    /** Adds a notification; it replaces a queued notification about the same zone. */
    void add(NotifyMessage notice) {
        NotifyMessage before = openNotices.remove(notice.zone());
        if (before != null) {
            before.close();
        }
        queuedNotices.remove(notice.zone()); // a new notification is queued after all notifications that already wait
        queuedNotices.put(notice.zone(), notice);
    }

    /** Returns the next notification to send and marks it as open; null if there is none. */
    @Nullable NotifyMessage next() {
        if (queuedNotices.isEmpty() || openNotices.size() >= MAX_OPEN) {
            return null;
        }
        NotifyMessage next = queuedNotices.values().iterator().next();
        queuedNotices.remove(next.zone());
        openNotices.put(next.zone(), next);
        return next;
    }

    /** Returns a copy of the pending notifications. */
    List<NotifyMessage> openNotices() {
        return List.copyOf(openNotices.values());
    }

    /** Closes a notification that has ended, and removes it from the open notifications. */
    void end(NotifyMessage notice) {
        notice.close();
        openNotices.remove(notice.zone(), notice);
    }

    boolean isEmpty() {
        return openNotices.isEmpty() && queuedNotices.isEmpty();
    }

    /** Ends all notifications, open and queued, and returns them. */
    List<NotifyMessage> drain() {
        List<NotifyMessage> all = new ArrayList<>(openNotices.values());
        all.addAll(queuedNotices.values());
        openNotices.values().forEach(NotifyMessage::close);
        openNotices.clear();
        queuedNotices.clear();
        return all;
    }
}
