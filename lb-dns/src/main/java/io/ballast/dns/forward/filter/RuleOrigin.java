package io.ballast.dns.forward.filter;

/**
 * Where a rule comes from.
 *
 * @param listId the list's id
 * @param list the list's name
 * @param line of the list, from 1
 * @param text the rule, written anew
 */
public record RuleOrigin(int listId, String list, int line, String text) {}
