package io.ballast.http.header;

import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HeaderVariable;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.Underscores;
import io.ballast.net.config.ListenerTls;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a route does to the heads of its requests and responses: the rules of its listener, then its own, then those of
 * the pool that it leads to; and which {@code Host} the pool wants. Immutable.
 */
public final class HeadEdits {

    /** Changes nothing and keeps the client's {@code Host}. */
    public static final HeadEdits NONE = compile(List.of(), new HostHeader.Keep());

    private final HeaderEdits request;
    private final HeaderEdits response;
    private final boolean keepsHost;
    private final byte @Nullable [] fixedHost;
    private final boolean usesHost;
    private final boolean dropsUnderscores;
    private final @Nullable SessionCookie cookie;

    private HeadEdits(
            HeaderEdits request,
            HeaderEdits response,
            HostHeader host,
            boolean dropsUnderscores,
            @Nullable SessionCookie cookie) {
        this.request = request;
        this.response = response;
        this.keepsHost = host instanceof HostHeader.Keep;
        this.fixedHost =
                host instanceof HostHeader.Fixed fixed ? fixed.value().getBytes(StandardCharsets.US_ASCII) : null;
        this.usesHost = request.uses(HeaderVariable.HOST) || response.uses(HeaderVariable.HOST);
        this.dropsUnderscores = dropsUnderscores;
        this.cookie = cookie;
    }

    /** For what no route takes. */
    public static HeadEdits of(ListenerConfig listener) {
        return compile(rules(listener), new HostHeader.Keep(), drops(listener));
    }

    /** For a route that needs no backend. */
    public static HeadEdits of(ListenerConfig listener, RouteConfig route) {
        List<HeaderRules> rules = rules(listener);
        rules.add(route.headers());
        return compile(rules, new HostHeader.Keep(), drops(listener));
    }

    /** For a route to a pool. */
    public static HeadEdits of(ListenerConfig listener, RouteConfig route, PoolConfig pool) {
        List<HeaderRules> rules = rules(listener);
        rules.add(route.headers());
        rules.add(pool.headers());
        SessionCookie cookie = SessionCookie.of(pool, listener.tls().isPresent(), responses(rules))
                .orElse(null);
        return compile(rules, pool.host(), drops(listener), cookie);
    }

    private static boolean drops(ListenerConfig listener) {
        return listener.underscores() == Underscores.DROP;
    }

    private static List<HeaderRules> rules(ListenerConfig listener) {
        List<HeaderRules> rules = new ArrayList<>();
        listener.tls().flatMap(ListenerTls::hsts).ifPresent(hsts -> rules.add(hsts.asRules()));
        listener.requestId().ifPresent(id -> rules.add(requestId(id.header())));
        rules.add(listener.headers());
        return rules;
    }

    /** The id of a request is a header like any other; rules may still take it away. */
    private static HeaderRules requestId(String header) {
        HeaderField field = new HeaderField(header, HeaderValue.parse("$" + HeaderVariable.REQUEST_ID.label()));
        return new HeaderRules(new HeaderChanges(List.of(field), List.of(), List.of()), HeaderChanges.NONE);
    }

    /** Applies one after the other; names with underscores pass as {@link io.ballast.http.config.Underscores#PASS} says. */
    public static HeadEdits compile(List<HeaderRules> inOrder, HostHeader host) {
        return compile(inOrder, host, /* dropsUnderscores= */ false);
    }

    /** Applies one after the other. */
    public static HeadEdits compile(List<HeaderRules> inOrder, HostHeader host, boolean dropsUnderscores) {
        return compile(inOrder, host, dropsUnderscores, /* cookie= */ null);
    }

    private static HeadEdits compile(
            List<HeaderRules> inOrder, HostHeader host, boolean dropsUnderscores, @Nullable SessionCookie cookie) {
        return new HeadEdits(
                HeaderEdits.compile(inOrder.stream().map(HeaderRules::request).toList()),
                HeaderEdits.compile(responses(inOrder)),
                host,
                dropsUnderscores,
                cookie);
    }

    private static List<HeaderChanges> responses(List<HeaderRules> rules) {
        return rules.stream().map(HeaderRules::response).toList();
    }

    public HeaderEdits request() {
        return request;
    }

    public HeaderEdits response() {
        return response;
    }

    /** The cookie by which clients of the route stay with their backends; null if they do not. */
    public @Nullable SessionCookie cookie() {
        return cookie;
    }

    /** Whether backends get the client's own {@code Host}. */
    public boolean keepsHost() {
        return keepsHost;
    }

    /** The {@code Host} that backends get, if it is always the same. Not to be written to. */
    public byte @Nullable [] fixedHost() {
        return fixedHost;
    }

    /** Whether requests lose every header with an underscore in its name. */
    public boolean dropsUnderscores() {
        return dropsUnderscores;
    }

    /** Whether the host that the client asked for must be known until the response. */
    public boolean usesHost() {
        return usesHost;
    }
}
