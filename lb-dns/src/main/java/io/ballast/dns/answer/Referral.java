package io.ballast.dns.answer;

import org.jspecify.annotations.Nullable;

/**
 * What a delegation answers for its name and all names below it.
 *
 * @param servers the NS records
 * @param glue addresses of servers that lie below the delegation; null if none does
 */
public record Referral(Answer servers, @Nullable Answer glue) {}
