package io.ballast.http.h2.backend;

import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.Method;
import io.ballast.http.head.RequestScanner;

/**
 * Encodes the head of a request for a backend that speaks HTTP/2 (RFC 9113 section 8.3.1): {@code Host} becomes the
 * authority, and what concerns one connection only is left out. Stateless.
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

    /** @param request as we composed it: in origin form, with one {@code Host} */
    static void encode(RequestScanner request, boolean isSecure, HeaderBlock target) {
        target.clear();
        byte[] bytes = request.bytes;
        if (request.method == Method.GET) {
            target.indexed(GET);
        } else if (request.method == Method.POST) {
            target.indexed(POST);
        } else {
            target.literal(METHOD, bytes, 0, request.methodEnd);
        }
        target(request, isSecure, target);
        for (int i = 0; i < request.count; i++) {
            line(request, i, target);
        }
    }

    /** Encodes where the request goes to. */
    static void target(RequestScanner request, boolean isSecure, HeaderBlock target) {
        target.indexed(isSecure ? HTTPS : HTTP);
        target.literal(AUTHORITY, request.bytes, request.authorityStart, request.authorityEnd);
        target.literal(PATH, request.bytes, request.pathStart, request.pathEnd);
    }

    /** Encodes a line, unless it concerns one connection only. */
    static void line(RequestScanner request, int line, HeaderBlock target) {
        if (passes(request, line)) {
            target.field(
                    request.bytes,
                    request.lineStart[line],
                    request.nameEnd[line],
                    request.bytes,
                    request.valueStart[line],
                    request.valueEnd[line]);
        }
    }

    private static boolean passes(RequestScanner request, int line) {
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
