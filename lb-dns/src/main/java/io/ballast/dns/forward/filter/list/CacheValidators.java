package io.ballast.dns.forward.filter.list;

/**
 * The cache validators of a version of a list, for conditional requests (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9110#section-13">RFC 9110, section 13</a>).
 *
 * @param etag may be empty
 * @param lastModified may be empty
 */
record CacheValidators(String etag, String lastModified) {

    static final CacheValidators NONE = new CacheValidators("", "");
}
