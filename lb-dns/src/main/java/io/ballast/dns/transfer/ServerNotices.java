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

    private final Map<Name, NotifyMessage> open = new HashMap<>();
    private final Map<Name, NotifyMessage> queued = new LinkedHashMap<>();

    /** Adds a notification; it replaces a queued notification about the same zone. */
    void add(NotifyMessage message) {
        NotifyMessage before = open.remove(message.zone());
        if (before != null) {
            before.close();
        }
        queued.remove(message.zone()); // a new notification is queued after all notifications that already wait
        queued.put(message.zone(), message);
    }

    /** Returns the next notification to send and marks it as open; null if there is none. */
    @Nullable NotifyMessage next() {
        if (queued.isEmpty() || open.size() >= MAX_OPEN) {
            return null;
        }
        NotifyMessage next = queued.values().iterator().next();
        queued.remove(next.zone());
        open.put(next.zone(), next);
        return next;
    }

    /** Returns a copy of the pending notifications. */
    List<NotifyMessage> openNotices() {
        return List.copyOf(open.values());
    }

    /** Closes a notification that has ended, and removes it from the open notifications. */
    void end(NotifyMessage message) {
        message.close();
        open.remove(message.zone(), message);
    }

    boolean isEmpty() {
        return open.isEmpty() && queued.isEmpty();
    }

    /** Ends all notifications, open and queued, and returns them. */
    List<NotifyMessage> drain() {
        List<NotifyMessage> all = new ArrayList<>(open.values());
        all.addAll(queued.values());
        open.values().forEach(NotifyMessage::close);
        open.clear();
        queued.clear();
        return all;
    }
}
