package io.ballast.dns.forward.filter;

/**
 * The origin of a rule.
 *
 * @param listId the list's id
 * @param list the list's name
 * @param line line in the list, from 1
 * @param text the rule in canonical form
 */
public record RuleOrigin(int listId, String list, int line, String text) {}
