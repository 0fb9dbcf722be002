package io.ballast.dns.transfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * The notifications of one server. {@value #MAX_OPEN} zones are notified at a time, each with its own socket;
 * the others wait for their turn. An unreachable server delays only its own notifications.
 *
 * <p>Thread safety: confined to the notifier's thread. Memory: one notification for each zone.
 */
final class ServerNotices {

    static final int MAX_OPEN = 64;

    private final Map<Name, NotifyMessage> open = new HashMap<>();
    private final Map<Name, NotifyMessage> waiting = new LinkedHashMap<>();

    /** Replaces a queued notification about the same zone. */
    void add(NotifyMessage notice) {
        NotifyMessage before = open.remove(notice.zone());
        if (before != null) {
            before.close();
        }
        waiting.remove(notice.zone()); // queued after all notifications that already wait
        waiting.put(notice.zone(), notice);
    }

    /** Returns the next notification to send and marks it as open; null if there is none. */
    @Nullable NotifyMessage next() {
        if (waiting.isEmpty() || open.size() >= MAX_OPEN) {
            return null;
        }
        NotifyMessage next = waiting.values().iterator().next();
        waiting.remove(next.zone());
        open.put(next.zone(), next);
        return next;
    }

    /** Returns a copy of the pending notifications. */
    List<NotifyMessage> open() {
        return List.copyOf(open.values());
    }

    /** Handles the end of a notification. */
    void end(NotifyMessage notice) {
        notice.close();
        open.remove(notice.zone(), notice);
    }

    boolean isEmpty() {
        return open.isEmpty() && waiting.isEmpty();
    }

    /** Ends all notifications and returns those that were open. */
    List<NotifyMessage> drain() {
        List<NotifyMessage> all = new ArrayList<>(open.values());
        all.addAll(waiting.values());
        open.values().forEach(NotifyMessage::close);
        open.clear();
        waiting.clear();
        return all;
    }
}
