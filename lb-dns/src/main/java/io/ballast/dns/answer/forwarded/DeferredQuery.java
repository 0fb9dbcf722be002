package io.ballast.dns.answer.forwarded;

import io.ballast.core.backend.Backend;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.answer.AliasChain;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.QueryWaiter;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.filter.ClientPolicy;
import io.ballast.dns.forward.filter.NameFilter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pending client query with its reply path. The response is built from the query itself, so that it contains no data
 * from other clients' queries.
 */
final class DeferredQuery implements QueryWaiter {

    private static final long HIGH_MULTIPLIER = 31;

    private final DeferredReplies replies;
    private final @Nullable NameFilter filter;
    private final ClientPolicy policy;
    private final @Nullable AliasChain chain;
    private final boolean subnetForwarded;
    private final byte[] message;
    private final Client client = new Client();
    private final Transport transport;
    private final ReplyPath path;

    /**
     * @param late deferred replies of the event loop that queries resolvers
     * @param filter filter that was active when the query arrived; null if there was none
     * @param policy filter policy for alias targets in the answer
     * @param chain the alias chain from the query name to the forwarded name; null if both names are the same
     * @param keepsSubnet whether resolvers get the client subnet that the query contains
     */
    DeferredQuery(
            DeferredReplies late,
            @Nullable NameFilter filter,
            ClientPolicy policy,
            @Nullable AliasChain chain,
            boolean keepsSubnet,
            byte[] message,
            int length,
            Client client,
            Transport transport,
            ReplyPath path) {
        this.replies = late;
        this.filter = filter;
        this.policy = policy;
        this.chain = chain;
        this.subnetForwarded = keepsSubnet;
        this.message = Arrays.copyOf(message, length);
        this.client.copy(client);
        this.transport = transport;
        this.path = path;
    }

    @Nullable NameFilter filter() {
        return filter;
    }

    ClientPolicy policy() {
        return policy;
    }

    @Nullable AliasChain chain() {
        return chain;
    }

    boolean isSubnetForwarded() {
        return subnetForwarded;
    }

    byte[] message() {
        return message;
    }

    Client sender() {
        return client;
    }

    Transport transport() {
        return transport;
    }

    ReplyPath path() {
        return path;
    }

    @Override
    public long client() {
        long high = IpAddress.high(client.bytes(), client.length());
        return high * HIGH_MULTIPLIER ^ IpAddress.low(client.bytes(), client.length());
    }

    @Override
    public void onAnswer(CacheEntry answer, @Nullable Backend by) {
        replies.sendAnswer(this, answer, by);
    }

    @Override
    public void onStale(CacheEntry answer) {
        replies.sendStaleAnswer(this, answer);
    }

    @Override
    public void onFailure() {
        replies.sendFailure(this);
    }
}
