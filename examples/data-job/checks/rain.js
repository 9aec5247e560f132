import { checkMonthly } from './monthly.js';

checkMonthly('out/rain.json', 'rain_mm', (values) => values.reduce((a, b) => a + b));
