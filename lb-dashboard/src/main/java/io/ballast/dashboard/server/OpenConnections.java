package io.ballast.dashboard.server;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The connections that are open, as many as may be, in all and from one address. When there is no room, the one that has
 * been in the middle of a request for longest makes room, else the one that has been idle for longest; those that are
 * being served stay. So whoever sends half of a request keeps nobody else out. Confined to the server's event loop.
 */
final class OpenConnections {

    private final int most;
    private final int mostFromOne;
    private final Map<InetAddress, Integer> fromOne = new HashMap<>();
    /** Those from which a request is awaited, or the rest of one; longest first. */
    private final Set<Channel> halfOpen = new LinkedHashSet<>();
    /** Those between two requests; longest first. */
    private final Set<Channel> idle = new LinkedHashSet<>();

    private int open;

    OpenConnections(int most, int mostFromOne) {
        this.most = most;
        this.mostFromOne = mostFromOne;
    }

    /** Takes a connection on, at the cost of another if need be; false if there is no room. It must {@link #leave}. */
    boolean admit(Channel channel, InetAddress client) {
        boolean hasRoom = count(client) < mostFromOne || makeRoom(other -> client.equals(address(other)));
        hasRoom = hasRoom && (open < most || makeRoom(other -> true));
        open++;
        fromOne.merge(client, 1, Integer::sum);
        if (hasRoom) {
            halfOpen.add(channel);
        }
        return hasRoom;
    }

    /** A request, or its rest, is awaited from a connection. */
    void awaiting(Channel channel) {
        if (idle.remove(channel)) {
            halfOpen.add(channel);
        }
    }

    /** It is being served. */
    void serving(Channel channel) {
        halfOpen.remove(channel);
        idle.remove(channel);
    }

    /** It was served, and waits for its next request. */
    void served(Channel channel) {
        idle.add(channel);
    }

    void leave(Channel channel, InetAddress client) {
        serving(channel);
        open--;
        fromOne.compute(client, (address, count) -> count == null || count == 1 ? null : count - 1);
    }

    private int count(InetAddress client) {
        return fromOne.getOrDefault(client, 0);
    }

    private boolean makeRoom(Predicate<Channel> which) {
        return closeFirst(halfOpen, which) || closeFirst(idle, which);
    }

    private static boolean closeFirst(Set<Channel> channels, Predicate<Channel> which) {
        for (Iterator<Channel> each = channels.iterator(); each.hasNext(); ) {
            Channel channel = each.next();
            if (which.test(channel)) {
                each.remove();
                channel.close();
                return true;
            }
        }
        return false;
    }

    private static InetAddress address(Channel channel) {
        return ConnectionGuard.client(channel);
    }
}
