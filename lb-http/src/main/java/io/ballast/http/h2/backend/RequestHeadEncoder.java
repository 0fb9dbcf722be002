package io.ballast.http.h2.backend;

import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.RequestScanner;

/**
 * Encodes a request head for an HTTP/2 backend (RFC 9113 section 8.3.1). {@code Host} becomes {@code :authority};
 * connection-specific fields are dropped. Stateless.
 */
final class RequestHeadEncoder {

    private static final int AUTHORITY = 1;
    static final int METHOD = 2;
    private static final int GET = 2;
    private static final int POST = 3;
    private static final int PATH = 4;
    private static final int HTTP = 6;
    private static final int HTTPS = 7;

    private RequestHeadEncoder() {}

    /** @param request the composed request, with a target in origin form and one {@code Host} */
    static void encode(RequestScanner request, boolean isSecure, HeaderBlock target) {
        target.clear();
        byte[] bytes = request.bytes;
        if (request.method == RequestMethod.GET) {
            target.indexed(GET);
        } else if (request.method == RequestMethod.POST) {
            target.indexed(POST);
        } else {
            target.literal(METHOD, bytes, 0, request.methodEnd);
        }
        target(request, isSecure, target);
        for (int i = 0; i < request.count; i++) {
            line(request, i, target);
        }
    }

    /** Encodes {@code :scheme}, {@code :authority} and {@code :path}. */
    static void target(RequestScanner request, boolean isSecure, HeaderBlock target) {
        target.indexed(isSecure ? HTTPS : HTTP);
        target.literal(AUTHORITY, request.bytes, request.authorityStart, request.authorityEnd);
        target.literal(PATH, request.bytes, request.pathStart, request.pathEnd);
    }

    /** Encodes a header line, unless it is connection-specific. */
    static void line(RequestScanner request, int line, HeaderBlock target) {
        if (isForwarded(request, line)) {
            target.field(
                    request.bytes,
                    request.lineStart[line],
                    request.nameEnd[line],
                    request.bytes,
                    request.valueStart[line],
                    request.valueEnd[line]);
        }
    }

    private static boolean isForwarded(RequestScanner request, int line) {
        HeaderName name = request.names[line];
        if (name == null) {
            return true;
        }
        return switch (name) {
            case HOST, TRANSFER_ENCODING -> false;
            case TE -> request.isTeTrailers(line);
            default -> name.kind != HeaderName.Kind.HOP_BY_HOP;
        };
    }
}
