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
 * The open connections, limited in total and per client address. If a limit is reached, the connection that has waited
 * longest for the rest of a request is closed. If no connection waits for a request, the connection that has been idle
 * longest is closed. Connections with a request in progress are never closed. So clients that send partial requests
 * cannot lock other clients out. Confined to the server's event loop.
 */
final class OpenConnections {

    private final int maxTotal;
    private final int maxPerAddress;
    private final Map<InetAddress, Integer> countByAddress = new HashMap<>();
    /** Connections that wait for their first request or for the rest of a request, oldest first. */
    private final Set<Channel> receivingRequest = new LinkedHashSet<>();
    /** Connections between two requests, oldest first. */
    private final Set<Channel> idle = new LinkedHashSet<>();

    private int open;

    OpenConnections(int maxTotal, int maxPerAddress) {
        this.maxTotal = maxTotal;
        this.maxPerAddress = maxPerAddress;
    }

    /**
     * Counts a connection, and closes another connection if a limit is reached. Returns false if no connection
     * can be closed. {@link #release} must be called in both cases.
     */
    boolean admit(Channel channel, InetAddress client) {
        boolean hasCapacity = count(client) < maxPerAddress || closeOne(other -> client.equals(address(other)));
        hasCapacity = hasCapacity && (open < maxTotal || closeOne(other -> true));
        open++;
        countByAddress.merge(client, 1, Integer::sum);
        if (hasCapacity) {
            receivingRequest.add(channel);
        }
        return hasCapacity;
    }

    /** Called when an idle connection has received the first bytes of a request. */
    void markReceiving(Channel channel) {
        if (idle.remove(channel)) {
            receivingRequest.add(channel);
        }
    }

    /** Called when the handling of a connection's request starts. */
    void markBusy(Channel channel) {
        receivingRequest.remove(channel);
        idle.remove(channel);
    }

    /** Called when the response was sent and the connection is idle. */
    void markIdle(Channel channel) {
        idle.add(channel);
    }

    void release(Channel channel, InetAddress client) {
        markBusy(channel);
        open--;
        countByAddress.compute(client, (address, count) -> count == null || count == 1 ? null : count - 1);
    }

    private int count(InetAddress client) {
        return countByAddress.getOrDefault(client, 0);
    }

    private boolean closeOne(Predicate<Channel> which) {
        return closeFirst(receivingRequest, which) || closeFirst(idle, which);
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
        return ConnectionGuard.clientAddress(channel);
    }
}
