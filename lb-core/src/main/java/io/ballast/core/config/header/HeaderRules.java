package io.ballast.core.config.header;

/**
 * Configured header changes in requests and responses.
 *
 * @param request changes in requests to backends
 * @param response changes in all responses to clients: responses of backends, fixed responses and generated
 *     errors
 */
public record HeaderRules(HeaderChanges request, HeaderChanges response) {

    public static final HeaderRules NONE = new HeaderRules(HeaderChanges.NONE, HeaderChanges.NONE);
}
