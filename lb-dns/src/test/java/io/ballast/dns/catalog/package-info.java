@NullMarked
package io.ballast.dns.catalog;

import org.jspecify.annotations.NullMarked;
