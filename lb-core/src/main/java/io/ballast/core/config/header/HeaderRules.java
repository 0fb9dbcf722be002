package io.ballast.core.config.header;

/**
 * What is changed in the headers of requests and responses, beyond what a proxy must change.
 *
 * @param request in what backends get
 * @param response in what clients get: from a backend, from a fixed response, or as an error of ours
 */
public record HeaderRules(HeaderChanges request, HeaderChanges response) {

    public static final HeaderRules NONE = new HeaderRules(HeaderChanges.NONE, HeaderChanges.NONE);
}
