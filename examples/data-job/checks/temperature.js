import { checkMonthly } from './monthly.js';

checkMonthly(
  'out/temperature.json',
  'temperature_c',
  (values) => values.reduce((a, b) => a + b) / values.length,
);
