package io.ballast.dns.answer.data;

import org.jspecify.annotations.Nullable;

/**
 * The referral in a response to a query for the name of a delegation, or a name below it.
 *
 * @param servers the NS records
 * @param glue addresses of name servers below the delegation; null if there are none
 */
public record Referral(Answer servers, @Nullable Answer glue) {}
