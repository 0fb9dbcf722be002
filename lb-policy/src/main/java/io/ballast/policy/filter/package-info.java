/**
 * Filters in Java: {@link io.ballast.policy.filter.FilterPolicy} lets a filter of the module {@code lb-filter-api} decide
 * about requests and change heads.
 */
@NullMarked
package io.ballast.policy.filter;

import org.jspecify.annotations.NullMarked;
