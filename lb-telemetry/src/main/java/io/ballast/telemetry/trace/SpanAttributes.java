package io.ballast.telemetry.trace;

import io.opentelemetry.api.common.AttributeKey;

/**
 * The names of span attributes: those of the <a href="https://opentelemetry.io/docs/specs/semconv/http/http-spans/">
 * semantic conventions for HTTP</a>, and Ballast's own names for attributes that the conventions do not cover.
 */
final class SpanAttributes {

    static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    static final AttributeKey<String> ORIGINAL_METHOD = AttributeKey.stringKey("http.request.method_original");
    static final AttributeKey<Long> RESENDS = AttributeKey.longKey("http.request.resend_count");
    static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    static final AttributeKey<String> QUERY = AttributeKey.stringKey("url.query");
    static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    static final AttributeKey<String> SERVER_ADDRESS = AttributeKey.stringKey("server.address");
    static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");
    static final AttributeKey<String> CLIENT_ADDRESS = AttributeKey.stringKey("client.address");
    static final AttributeKey<String> PROTOCOL = AttributeKey.stringKey("network.protocol.name");
    static final AttributeKey<String> VERSION = AttributeKey.stringKey("network.protocol.version");
    static final AttributeKey<String> USER_AGENT = AttributeKey.stringKey("user_agent.original");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    /** The result as in the access log: {@code ok}, or the reason why the client did not get a regular response. */
    static final AttributeKey<String> END = AttributeKey.stringKey("ballast.end");

    static final AttributeKey<String> LISTENER = AttributeKey.stringKey("ballast.listener");
    static final AttributeKey<String> POLICY = AttributeKey.stringKey("ballast.policy");
    static final AttributeKey<String> REQUEST_ID = AttributeKey.stringKey("ballast.request_id");
    static final AttributeKey<Long> ATTEMPTS = AttributeKey.longKey("ballast.attempts");
    static final AttributeKey<Boolean> TUNNEL = AttributeKey.booleanKey("ballast.tunnel");

    private SpanAttributes() {}
}
