/**
 * Keys and values that several objects of the configuration share: names, header fields, TLS files, percentages.
 */
@NullMarked
package io.ballast.config.keys.common;

import org.jspecify.annotations.NullMarked;
